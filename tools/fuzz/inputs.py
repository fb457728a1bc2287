"""Makes broken files from sound ones. The same seed makes the same file."""

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
"""Pieces that a parser spends much time or memory on if they are repeated."""


def made(examples: list[bytes], seed: str, most: int) -> bytes:
    """One broken file.

    Args:
        examples: sound files.
        seed: the seed of the random choices.
        most: the largest size of such a file, in bytes. A few files are as large, or larger.
    """
    drawn = random.Random(seed)  # noqa: S311  (no secret)
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
    _structure: 500,
    _scribbled: 150,
    _bytes: 150,
    _number: 70,
    _nested: 60,
    _bomb: 30,
    _noise: 35,
    _repeated: 5,
}
"""The ways to break a file, and how often each is used, in a thousand."""
