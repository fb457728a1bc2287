"""Makes broken files from sound ones. The same seed makes the same file."""

import json
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import yaml

from tests.damage import damaged, scribbled, written

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_ODD = (
    *(b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\x1b[31m", b"\r", b"\\u0000"),
    *(b"'", b'"', b"[", b"{", b"{{", b"&a ", b"*a"),
)
_SLOW = (b"[],", b'{"a":1},', b"- 1\n", b"a: 1\n", b"'", b"\\", b"# x\n", "🦙".encode(), b"<<: *a\n")
"""Pieces that a parser spends much time or memory on if they are repeated."""


def made(examples: list[bytes], seed: str, most: int) -> bytes:
    """One broken file.

    Args:
        examples: sound files.
        seed: the seed of the random choices.
        most: the largest size of such a file, in bytes. A few files are as large, or larger.
    """
    drawn = random.Random(seed)
    sound = drawn.choice(examples)
    (act,) = drawn.choices(list(_ACTS), list(_ACTS.values()))
    return act(sound, drawn, most)


def _structure(sound: bytes, drawn: random.Random, most: int) -> bytes:
    """Changes the types of values, or removes, repeats or moves values."""
    text = sound.decode()
    if text.startswith("#!"):
        return _scribbled(sound, drawn, most)
    if text.startswith("{") and text.count("\n{") > 1:  # one document on each line
        lines = text.splitlines()
        for _ in range(drawn.choice((1, 1, 3))):
            at = drawn.randrange(len(lines))
            lines[at] = json.dumps(damaged(json.loads(lines[at]), drawn)) if lines[at].startswith("{") else "{}"
        return "\n".join([*lines, ""]).encode()
    if text.startswith("{"):
        return json.dumps(damaged(json.loads(text), drawn), indent=drawn.choice((None, 2))).encode()
    documents: list[Any] = list(yaml.load_all(text, Loader=_LOADER))
    at = drawn.randrange(len(documents))
    documents[at] = damaged(documents[at], drawn)
    return "---\n".join(map(written, documents)).encode("utf-8", "surrogatepass")


def _scribbled(sound: bytes, drawn: random.Random, _: int) -> bytes:
    return scribbled(sound.decode(), drawn).encode("utf-8", "surrogatepass")


def _bytes(sound: bytes, drawn: random.Random, _: int) -> bytes:
    """Removes, repeats, reverses or inserts bytes, or cuts off the end."""
    for _ in range(drawn.choice((1, 2, 10))):
        at, end = sorted(drawn.randrange(len(sound) + 1) for _ in range(2))
        part = sound[at : min(end, at + 200)]
        put = drawn.choice((b"", part + part, part[::-1], drawn.randbytes(3), drawn.choice(_ODD)))
        sound = sound[:at] + put + sound[at + len(part) :]
    return sound[: drawn.randrange(len(sound) + 1)] if not drawn.randrange(4) else sound


def _number(sound: bytes, drawn: random.Random, _: int) -> bytes:
    """Replaces a value by a number with very many digits."""
    return _with(sound, b"9" * drawn.choice((20, 400, 5_000, 10_000)), drawn)


def _nested(sound: bytes, drawn: random.Random, _: int) -> bytes:
    """Replaces a value by a deeply nested one."""
    count = drawn.choice((30, 90, 110, 1_000, 100_000))
    begin, end = drawn.choice(((b"[", b"]"), (b'{"a": ', b"}"), (b"- ", b"")))
    return _with(sound, begin * count + b"1" + end * count, drawn)


def _with(sound: bytes, put: bytes, drawn: random.Random) -> bytes:
    """Replaces one value by another text."""
    places = list(re.finditer(rb"(?<=: )[^\s,{}\[\]]+", sound))
    if not places:
        return sound + put
    found = drawn.choice(places)
    return sound[: found.start()] + put + sound[found.end() :]


_LARGEST = 2 * 2**20
"""Bytes of repeated parts. Larger files are only plans and states, whose time grows with their size."""


def _text(sound: bytes, drawn: random.Random, most: int) -> bytes:
    """Replaces a value by a long text of one piece, which a pattern may divide in many ways."""
    piece = drawn.choice(_PIECES)
    count = drawn.choice((100, 5_000, most // 4)) // len(piece) + 1
    return _with(sound, json.dumps(piece * count + drawn.choice(("", "!", "\n"))).encode(), drawn)


def _scalar(sound: bytes, drawn: random.Random, _: int) -> bytes:
    """Replaces a value by one that nearly is a number, or by a block."""
    return _with(sound, drawn.choice(_NEARLY_NUMBERS).encode(), drawn)


def _parts(sound: bytes, drawn: random.Random, _: int) -> bytes:
    """Repeats the items of a list or a mapping of blocks, with other names."""
    try:
        documents: list[Any] = list(yaml.load_all(sound, Loader=_LOADER))
    except yaml.YAMLError:
        return sound
    lists = [each for document in documents for each in _blocks(document) if each]
    if not lists:
        return sound
    found, count = drawn.choice(lists), drawn.choice((60, 600, 4_000))
    count = min(count, _LARGEST // len(json.dumps(found, default=str)) * len(found))
    if isinstance(found, list):
        found += [found[number % len(found)] for number in range(count)]
    else:
        values = list(found.values())
        found.update({f"a{number}": values[number % len(values)] for number in range(count)})
    if sound.startswith(b"{"):
        return json.dumps(documents[0], default=str).encode()
    return "---\n".join(map(written, documents)).encode("utf-8", "surrogatepass")


def _blocks(value: Any) -> Iterator[Any]:
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for each in inside:
        yield from _blocks(each)
    if inside and all(isinstance(each, dict) for each in inside):
        yield value


def _functions(sound: bytes, drawn: random.Random, most: int) -> bytes:
    """A template whose functions or loops make values that double, or nest deeply."""
    if b'"AWSTemplateFormatVersion"' not in sound or not sound.startswith(b"{"):
        return _text(sound, drawn, most)
    document = json.loads(sound)
    high = drawn.choice((5, 24, 60))
    value: Any = drawn.choice(("x", {"Ref": "AWS::StackName"}, ["a", {"Fn::GetAtt": ["M1", "Ab"]}]))
    make = drawn.choice(_FUNCTIONS)
    for number in range(min(high, 12)):  # written out, it doubles here; in the chain, it doubles when it is read
        value = make(value, number)
    chain = {
        f"M{number}": {
            "Type": "AWS::EC2::SecurityGroup",
            "Properties": {"GroupDescription": "x", "Ab": make({"Fn::GetAtt": [f"M{number + 1}", "Ab"]}, number)},
        }
        for number in range(high)
    }
    loops: Any = {f"Last{high}${{X1}}": {"Type": "AWS::EC2::VPC", "Properties": {"CidrBlock": value}}}
    for number in range(drawn.choice((0, 2, 5, 60))):
        loops = {f"Fn::ForEach::L{number}": [f"X{number}", ["a", f"${{X{number + 1}}}" * high], loops]}
    document["Resources"] |= drawn.choice((chain, loops, {**chain, **loops}))
    document["Conditions"] = {"M": make("a", 0), **(document.get("Conditions") or {})}
    return json.dumps(document).encode()


_PIECES = (
    *(
        "${",
        "${!a}",
        "${a",
        "}",
        "clusters:",
        "users:",
        "a-",
        "-fill-me-in",
        "A",
        ".1",
        "1",
        "-1.1",
        "@",
        "/",
        "//",
        ":",
    ),
    *(" ", "\n", "\t", '"', "\\", "'", "=", ",", "[", "(", "{{", "<a", ":1:1: a: ", "\n   (", "\nfix: ", "--nnodes "),
    *("arn:", "https://a", "vpc-", "s3://", "²", "٣", "raw=1&", "image", "max-pods", "export A=", "user:", "::", "é"),
)
"""Pieces of the texts that Muster's patterns look for."""
_NEARLY_NUMBERS = (
    *('"²"', '"٣"', f'"{"9" * 5_000}"', f'"1.{"9" * 5_000}"', '"1e3"', '"nan"', '"inf"', '"1_000"', '"0x1f"', '"-1"'),
    *("1e999", "-1e999", ".inf", ".nan", "1e3", "0o17", "1_000", "-0", "9" * 19, "1.5", '""', "null", "true", "[]"),
    *('{"a": 1}', '["a"]', '[{"a": []}]', '"18446744073709551616"', '"+1"', '" 1"', '"1 "', '"1\\n"'),
)
_FUNCTIONS: tuple[Callable[[Any, int], Any], ...] = (
    lambda value, _: {"Fn::Base64": value},
    lambda value, _: {"Fn::Join": ["", [value, value]]},
    lambda value, _: {"Fn::Sub": ["${A}${A}", {"A": value}]},
    lambda value, _: {"Fn::Select": [value, value]},
    lambda value, _: {"Fn::Split": ["", value]},
    lambda value, _: {"Fn::Split": ["a", {"Fn::Join": [{"Fn::Base64": "a"}, [value, value]]}]},
    lambda value, _: {"Fn::FindInMap": [value, value, value]},
    lambda value, _: {"Fn::ToJsonString": {"a": value, "b": value}},
    lambda value, _: {"Fn::If": ["M", value, value]},
    lambda value, _: {"Fn::Equals": [value, value]},
    lambda value, _: {"Fn::Cidr": [value, value, value]},
    lambda value, _: {"Fn::ImportValue": value},
    lambda value, _: {"Fn::GetAtt": [value, value]},
    lambda value, _: [value, value],
)


def _bomb(sound: bytes, drawn: random.Random, _: int) -> bytes:
    """Aliases of aliases, or merges of merges."""
    wide, high = drawn.choice(((9, 9), (2, 40), (300, 3)))
    kind = drawn.choice(("[{}]", "{{<<: [{}]}}"))
    rows = (f"b{n}: &b{n} {kind.format(', '.join([f'*b{n - 1}'] * wide))}" for n in range(1, high))
    return "\n".join(("b0: &b0 {x: 1}", *rows, "")).encode() + (sound if drawn.randrange(2) else b"")


def _noise(sound: bytes, drawn: random.Random, _: int) -> bytes:
    return drawn.randbytes(drawn.choice((0, 1, 10, len(sound))))


def _repeated(sound: bytes, drawn: random.Random, most: int) -> bytes:
    """Repeats one piece up to the largest size of a file, or beyond."""
    piece = drawn.choice((drawn.choice(sound.splitlines(keepends=True)), *_SLOW))
    size = drawn.choice((most // 10, most - 200, most + 1))
    begin = drawn.choice((b"", b"[", b'{"a": [', sound[: sound.find(piece)] if piece in sound else b""))
    return (begin + piece * (size // len(piece) + 1))[:size]


_ACTS: dict[Callable[[bytes, random.Random, int], bytes], int] = {
    _structure: 350,
    _scribbled: 100,
    _bytes: 100,
    _text: 120,
    _scalar: 80,
    _parts: 30,
    _functions: 70,
    _number: 20,
    _nested: 60,
    _bomb: 30,
    _noise: 35,
    _repeated: 5,
}
"""The ways to break a file, and how often each is used, in a thousand."""
