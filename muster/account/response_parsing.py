"""Reads AWS's answers with botocore's parsers, and rejects other responses.

Such a response is a page of a proxy, an incomplete answer, or has a value with another type than the API model.
botocore's parsers do not check that: they turn a body that is not JSON into an empty answer, and for a wrong type they
raise any exception, or accept the value.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from botocore.model import ListShape, MapShape, Shape, StructureShape
from botocore.parsers import ResponseParserError, ResponseParserFactory

from muster.message_text import truncate

PAGE = re.compile(r"<(?:!doctype\s+html|html)\b", re.IGNORECASE)
_HEAD = 1024
"""The number of bytes of a body in which a web page is recognized."""
_QUOTED = 200
"""The number of characters of a parser's message that are kept. Parsers quote the whole text that they cannot read."""
_ERROR = 301
"""From this status on, botocore reads an answer as an error."""
_OF_PARSERS = (ArithmeticError, AttributeError, LookupError, OSError, RuntimeError, TypeError, ValueError)
"""The exceptions of botocore's parsers for unexpected bytes: not a number, not a date, a list instead of an object."""

_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "long": (int,),
    "float": (float, int),
    "double": (float, int),
    "boolean": (bool,),
    "structure": (dict,),
    "map": (dict,),
    "list": (list,),
}
"""Python types of the model's types. The parser decides about others (timestamps, blobs)."""


class ParserFactory(ResponseParserFactory):  # type: ignore[misc]  # botocore has no types
    """Creates the parsers of a session."""

    def create_parser(self, protocol_name: str) -> "CheckingParser":
        """The parser for a protocol."""
        return CheckingParser(super().create_parser(protocol_name), is_json="json" in protocol_name)


class CheckingParser:
    """botocore's parser, with checks of types."""

    def __init__(self, parser: Any, *, is_json: bool) -> None:
        self._parser, self._is_json = parser, is_json

    def parse(self, response: Mapping[str, Any], shape: Shape | None) -> Any:
        """The parsed response.

        Raises:
            ResponseParserError: it cannot be read; the message is the reason, or the beginning of the web page.
        """
        failed = response["status_code"] >= _ERROR
        body: bytes = response["body"]
        head = body[:_HEAD].decode(errors="replace") if isinstance(body, bytes) else ""
        if PAGE.search(head) and not failed:
            raise ResponseParserError(head)
        if self._is_json and isinstance(body, bytes):
            _check_json(body, needed=not failed and bool(getattr(shape, "members", None)), text_will_do=failed)
        try:
            parsed = self._parser.parse(response, shape)
        except (ResponseParserError, *_OF_PARSERS) as fault:
            words = f"{fault} is missing" if isinstance(fault, LookupError) else str(fault)
            raise ResponseParserError(head if PAGE.search(head) else _short(words)) from fault
        wrong = _wrong_error(parsed) if failed else _wrong(parsed, shape, "") if shape is not None else iter(())
        if found := next(wrong, None):
            raise ResponseParserError(found)
        return parsed


def _check_json(body: bytes, *, needed: bool, text_will_do: bool) -> None:
    if not body.strip():
        if needed:
            raise ResponseParserError("it is empty")
        return
    try:
        content = json.loads(body)
    except RecursionError:
        raise ResponseParserError("it is JSON that is nested too deeply") from None
    except UnicodeDecodeError:
        raise ResponseParserError("it is not text") from None
    except ValueError as fault:
        if text_will_do:
            return
        raise ResponseParserError(_short(f"it is not JSON: {fault}")) from None
    if not isinstance(content, dict):
        raise ResponseParserError("it is JSON, but not an object")


def _wrong_error(parsed: Mapping[str, Any]) -> Iterator[str]:
    """The errors of an error response whose code or message is not text."""
    error = parsed.get("Error", {})
    words = {key: error.get(key) for key in ("Code", "Message")} if isinstance(error, dict) else {"Error": error}
    yield from (f"the error's {key} is not text" for key, each in words.items() if isinstance(each, dict | list))


def _wrong(value: Any, shape: Shape, where: str) -> Iterator[str]:
    """The values with another type than the model's, and numbers that are not finite."""
    if not _fits(value, shape):
        yield f"{where or 'it'} is not of type {shape.type_name}"
    elif isinstance(value, float) and not math.isfinite(value):
        yield f"{where} is {value}, which is not a number"
    else:
        for step, each, member in _inside(value, shape):
            yield from _wrong(each, member, f"{where}{step}".lstrip("."))


def _fits(value: Any, shape: Shape) -> bool:
    if getattr(shape, "is_document_type", False):
        return True
    expected = _TYPES.get(shape.type_name, (object,))
    return isinstance(value, expected) and (not isinstance(value, bool) or expected == (bool,))


def _inside(value: Any, shape: Shape) -> Iterator[tuple[str, Any, Shape]]:
    """The values inside a value: the step, the value, and its shape."""
    if isinstance(shape, StructureShape):
        yield from ((f".{name}", value[name], each) for name, each in shape.members.items() if name in value)
    elif isinstance(shape, ListShape):
        yield from ((f"[{index}]", each, shape.member) for index, each in enumerate(value))
    elif isinstance(shape, MapShape):
        yield from ((f".{key}", each, shape.value) for key, each in value.items())


def _short(words: str) -> str:
    return truncate(" ".join(words[:_HEAD].split()), _QUOTED)
