"""Reads AWS's answers with botocore's parsers, and refuses answers that are not AWS's.

Such an answer is a proxy's page, a part of an answer, or has a value whose type is not the API model's. botocore's
parsers do not check that: they turn a body that is not JSON into an empty answer, and for a wrong type they raise any
exception, or accept the value.
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
"""Bytes of a body in which a web page is recognized."""
_QUOTED = 200
"""Characters of a parser's message that are kept. Parsers quote the whole text that they could not read."""
_ERROR = 301
"""From this status on botocore reads an answer as an error."""
_OF_PARSERS = (ArithmeticError, AttributeError, LookupError, OSError, RuntimeError, TypeError, ValueError)
"""What botocore's parsers raise at bytes that they do not expect: no number, no date, a list for an object."""

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
"""Of the model's types. Others (timestamps, blobs) are what the parser makes of them."""


class ParserFactory(ResponseParserFactory):  # type: ignore[misc]  # botocore has no types
    """Makes the parsers of a session."""

    def create_parser(self, protocol_name: str) -> "CheckingParser":
        """The parser of a protocol."""
        return CheckingParser(super().create_parser(protocol_name), is_json="json" in protocol_name)


class CheckingParser:
    """botocore's parser, with eyes."""

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
        raise ResponseParserError("it is no text") from None
    except ValueError as fault:
        if text_will_do:
            return
        raise ResponseParserError(_short(f"it is no JSON: {fault}")) from None
    if not isinstance(content, dict):
        raise ResponseParserError("it is JSON, but no object")


def _wrong_error(parsed: Mapping[str, Any]) -> Iterator[str]:
    """The faults of an error whose code or message is not text."""
    error = parsed.get("Error", {})
    words = {key: error.get(key) for key in ("Code", "Message")} if isinstance(error, dict) else {"Error": error}
    yield from (f"the error's {key} is no text" for key, each in words.items() if isinstance(each, dict | list))


def _wrong(value: Any, shape: Shape, where: str) -> Iterator[str]:
    """The values of another type than the model's, and numbers that are none."""
    if not _fits(value, shape):
        yield f"{where or 'it'} is no {shape.type_name}"
    elif isinstance(value, float) and not math.isfinite(value):
        yield f"{where} is {value}, which is no number"
    else:
        for step, each, member in _inside(value, shape):
            yield from _wrong(each, member, f"{where}{step}".lstrip("."))


def _fits(value: Any, shape: Shape) -> bool:
    if getattr(shape, "is_document_type", False):
        return True
    expected = _TYPES.get(shape.type_name, (object,))
    return isinstance(value, expected) and (not isinstance(value, bool) or expected == (bool,))


def _inside(value: Any, shape: Shape) -> Iterator[tuple[str, Any, Shape]]:
    """The values in a value: by which step, and what they are to be."""
    if isinstance(shape, StructureShape):
        yield from ((f".{name}", value[name], each) for name, each in shape.members.items() if name in value)
    elif isinstance(shape, ListShape):
        yield from ((f"[{index}]", each, shape.member) for index, each in enumerate(value))
    elif isinstance(shape, MapShape):
        yield from ((f".{key}", each, shape.value) for key, each in value.items())


def _short(words: str) -> str:
    return truncate(" ".join(words[:_HEAD].split()), _QUOTED)
