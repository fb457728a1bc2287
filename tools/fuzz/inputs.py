"""Makes broken files out of sound ones. The same seed makes the same file."""

import json
import random
import re
from collections.abc import Callable
from typing import Any

import yaml

from tests.damage import damaged, scribbled, written

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_ODD = (
    *(b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\x1b[31m", b"\r", b"\\u0000"),
    *(b"'", b'"', b"[", b"{", b"{{", b"&a ", b"*a"),
)
_SLOW = (b"[],", b'{"a":1},', b"- 1\n", b"a: 1\n", b"'", b"\\", b"# x\n", "🦙".encode(), b"<<: *a\n")
"""Pieces of which a parser makes much, or often."""


def made(examples: list[bytes], seed: str, most: int) -> bytes:
    """One broken file.

    Args:
        examples: sound ones.
        seed: what decides.
        most: how large such a file may be; a few are as large, or larger.
    """
    drawn = random.Random(seed)  # noqa: S311  (no secret)
    sound = drawn.choice(examples)
    (act,) = drawn.choices(list(_ACTS), list(_ACTS.values()))
    return act(sound, drawn, most)


def _structure(sound: bytes, drawn: random.Random, most: int) -> bytes:
    """Values of other types, missing, doubled, or at other places."""
    text = sound.decode()
    if text.startswith("#!"):
        return _scribbled(sound, drawn, most)
    if text.startswith("{") and text.count("\n{") > 1:  # a document a line
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
    """Bytes gone, doubled, turned, put in, or cut off."""
    for _ in range(drawn.choice((1, 2, 10))):
        at, end = sorted(drawn.randrange(len(sound) + 1) for _ in range(2))
        part = sound[at : min(end, at + 200)]
        put = drawn.choice((b"", part + part, part[::-1], drawn.randbytes(3), drawn.choice(_ODD)))
        sound = sound[:at] + put + sound[at + len(part) :]
    return sound[: drawn.randrange(len(sound) + 1)] if not drawn.randrange(4) else sound


def _number(sound: bytes, drawn: random.Random, _: int) -> bytes:
    """Some value is a number of very many digits."""
    return _with(sound, b"9" * drawn.choice((20, 400, 5_000, 10_000)), drawn)


def _nested(sound: bytes, drawn: random.Random, _: int) -> bytes:
    """Some value is nested deeply."""
    count = drawn.choice((30, 90, 110, 1_000, 100_000))
    begin, end = drawn.choice(((b"[", b"]"), (b'{"a": ', b"}"), (b"- ", b"")))
    return _with(sound, begin * count + b"1" + end * count, drawn)


def _with(sound: bytes, put: bytes, drawn: random.Random) -> bytes:
    """Another text in place of some value."""
    places = list(re.finditer(rb"(?<=: )[^\s,{}\[\]]+", sound))
    if not places:
        return sound + put
    found = drawn.choice(places)
    return sound[: found.start()] + put + sound[found.end() :]


def _bomb(sound: bytes, drawn: random.Random, _: int) -> bytes:
    """Aliases of aliases, or merges of merges."""
    wide, high = drawn.choice(((9, 9), (2, 40), (300, 3)))
    kind = drawn.choice(("[{}]", "{{<<: [{}]}}"))
    rows = (f"b{n}: &b{n} {kind.format(', '.join([f'*b{n - 1}'] * wide))}" for n in range(1, high))
    return "\n".join(("b0: &b0 {x: 1}", *rows, "")).encode() + (sound if drawn.randrange(2) else b"")


def _noise(sound: bytes, drawn: random.Random, _: int) -> bytes:
    return drawn.randbytes(drawn.choice((0, 1, 10, len(sound))))


def _repeated(sound: bytes, drawn: random.Random, most: int) -> bytes:
    """One piece as often as the file may be large, or once more."""
    piece = drawn.choice((drawn.choice(sound.splitlines(keepends=True)), *_SLOW))
    size = drawn.choice((most // 10, most - 200, most + 1))
    begin = drawn.choice((b"", b"[", b'{"a": [', sound[: sound.find(piece)] if piece in sound else b""))
    return (begin + piece * (size // len(piece) + 1))[:size]


_ACTS: dict[Callable[[bytes, random.Random, int], bytes], int] = {
    _structure: 500,
    _scribbled: 150,
    _bytes: 150,
    _number: 70,
    _nested: 60,
    _bomb: 30,
    _noise: 35,
    _repeated: 5,
}
"""What is done to a file, and how often in a thousand."""
