"""Damage that nobody planned: a description, its text or a program's inputs, broken at random places in random ways.

`strategies` and its kin break a legal description in one named way and know what must be found of it. Here nothing is
known of the outcome but that it is words: whatever this makes, nothing crashes on it.
"""

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any

import yaml

Path = tuple[str | int, ...]

ODD_TEXTS = (
    *("", " ", "~", "null", "no", "-1", "1e400", "0x10", "1.30", "٣", "½", "a\nb", "a\tb", "\u2028", "\ufeff"),
    *("\x85", "\ud7ff🦙", "é" * 3, "x" * 5000, ".", "..", "a.b[0]", "a[", "[]", "{}", "${x}", "{x}", "%s"),
    *("{0!r}", "s3://", "s3://b", "arn:aws", "arn:aws:iam::210987654321:role/", "arn:aws:fsx:::"),
    *("10.0.0.0/99", "10.0.0.0/0", "999.0.0.0/8", "::/0", "fd00::/8", "subnet-", "cr-" + "0" * 17, "us-west-2"),
    *("us-west-2a", "usw2-az9", "us-gov-west-1a", "p5.48xlarge", "p5.48xlarg", "p6e-gb200.36xlarge"),
    *("t3.micro", "1.35", "v1.35.0", "0.0.0", "2026-13-45", "2026-12-01T11:30:00Z", "9999-12-31T23:59:59Z"),
    *("0001-01-01", "0 0 30 2 ?", "cron(0 0 1 * ? *)", "1GiB", "0GiB", "-4GiB", "999999999999999999TiB", "eks"),
    *("hyperpod", "parallelcluster", "training", "create", "existing", "fill-me-in"),
)

ODD_NUMBERS = (0, 1, -1, 2, 3, 7, 64, 1000, 10**9, 2**63, 10**30, -(10**30), 0.5, 1.30, -0.0, 1e308, float("inf"))

ODD_VALUES: tuple[Any, ...] = (
    *(None, True, False, [], {}, [[]], [{}]),
    *({"": None}, [None], {"create": None}, [1, "a", {}]),
)


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """The way to everything in a value, itself first."""
    yield path
    if isinstance(value, Mapping):
        for key, below in value.items():
            yield from places(below, (*path, key))
    elif isinstance(value, list | tuple):
        for index, below in enumerate(value):
            yield from places(below, (*path, index))


def at(value: Any, path: Path) -> Any:
    """What stands there."""
    for step in path:
        value = value[step]
    return value


def odd(drawn: random.Random) -> Any:
    """A value that stands nowhere by intention."""
    kind = drawn.randrange(5)
    if kind == 0:
        return drawn.choice(ODD_NUMBERS)
    if kind == 1:
        return deepcopy(drawn.choice(ODD_VALUES))
    if kind == 2 and not drawn.randrange(4):
        nested: Any = drawn.choice(ODD_TEXTS)
        for _ in range(drawn.choice((3, 40))):
            nested = {drawn.choice(("a", "create", "groups")): nested} if drawn.randrange(2) else [nested]
        return nested
    return drawn.choice(ODD_TEXTS)


def damaged(value: Any, drawn: random.Random, others: Sequence[Any] = ()) -> Any:
    """A copy with a few things wrong.

    Args:
        value: plain data.
        drawn: what decides; the same seed does the same damage.
        others: values that may come to stand anywhere, besides odd ones.
    """
    made = deepcopy(value)
    for _ in range(drawn.choice((1, 1, 1, 2, 2, 3, 6))):
        made = _once(made, drawn, others)
    return made


def crossed(value: Any, other: Any, drawn: random.Random) -> Any:
    """A copy in which parts of another of its kind stand at their own places, and numbers are a little off: the form
    holds mostly, and parts meet that nobody put together."""
    made = deepcopy(value)
    for _ in range(drawn.choice((1, 1, 2, 4))):
        path = drawn.choice(list(places(made)))
        if not path:
            continue
        around, there = at(made, path[:-1]), at(made, path)
        if isinstance(there, bool):
            around[path[-1]] = not there
        elif isinstance(there, int):
            around[path[-1]] = max(there + drawn.choice((-1, 1, 10, 1000)), drawn.choice((0, 1)))
        else:
            twins = [at(other, each) for each in places(other) if each and each[-1] == path[-1]]
            alike = [each for each in twins if type(each) is type(there) and each != there]
            if alike:
                around[path[-1]] = deepcopy(drawn.choice(alike))
    return made


def _once(made: Any, drawn: random.Random, others: Sequence[Any]) -> Any:  # noqa: C901 - one act a branch
    found = list(places(made))[1:]
    if not found:
        return odd(drawn)
    path = drawn.choice(found)
    around, step = at(made, path[:-1]), path[-1]
    there = around[step]
    act = drawn.randrange(10)
    if act == 0:
        del around[step]
    elif act == 1:
        around[step] = odd(drawn)
    elif act == 2:
        # Something that is legal elsewhere: what a schema may take, and no rule expects.
        around[step] = deepcopy(at(made, drawn.choice(found)))
    elif act == 3 and isinstance(around, dict):
        around[drawn.choice((f"{step}s", str(step)[1:], str(step).upper(), *ODD_TEXTS[:12]))] = around.pop(step)
    elif act == 4 and isinstance(around, dict):
        around[drawn.choice((*(f"{step}-{n}" for n in range(3)), *ODD_TEXTS[:30]))] = deepcopy(there)
    elif act == 5:
        around[step] = [there, there] if drawn.randrange(2) else {str(step): there}
    elif act == 6 and isinstance(there, int | float):
        around[step] = drawn.choice((there - 1, there + 1, -there, 0, there * 10**6, str(there), float(there)))
    elif act == 7 and isinstance(there, str) and there:
        cut = drawn.randrange(len(there))
        around[step] = drawn.choice(
            (there[:cut], there[cut:], there.upper(), there + "x", there[:cut] + "é" + there[cut:])
        )
    elif act == 8 and isinstance(around, list):
        around.insert(step if isinstance(step, int) else 0, deepcopy(there))
    else:
        around[step] = deepcopy(drawn.choice(others)) if others else odd(drawn)
    return made


class _Plain(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
    """Writes every alias out."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def written(document: Any) -> str:
    """A document as YAML."""
    plain = json.loads(json.dumps(document))  # strategies have members of enums for words
    return yaml.dump(plain, Dumper=_Plain, allow_unicode=True, sort_keys=False)


def _cut(text: str, drawn: random.Random) -> str:
    return text[: drawn.randrange(len(text) + 1)]


def _without_a_line(text: str, drawn: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    del lines[drawn.randrange(len(lines))]
    return "".join(lines)


def _with_a_line_twice(text: str, drawn: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    lines.insert(drawn.randrange(len(lines) + 1), drawn.choice(lines))
    return "".join(lines)


def _indented(text: str, drawn: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    chosen = drawn.randrange(len(lines))
    lines[chosen] = drawn.choice((" ", "  ", "\t", "    ")) + lines[chosen] if drawn.randrange(2) else lines[chosen][1:]
    return "".join(lines)


def _with_a_character(text: str, drawn: random.Random) -> str:
    where = drawn.randrange(len(text) + 1)
    return text[:where] + drawn.choice("\t\x00\ufeff\u2028\x85\x07:-#&*!|>%@`'\"{}[],?🦙") + text[where:]


def _with_an_alias(text: str, drawn: random.Random) -> str:
    """Some value has a name, and another place has that value by its name."""
    lines = text.splitlines(keepends=True)
    keyed = [number for number, line in enumerate(lines) if ":" in line]
    if not keyed:
        return text
    for number, sign in zip(sorted(drawn.choices(keyed, k=2)), ("&x", "*x"), strict=True):
        key, _, value = lines[number].partition(":")
        lines[number] = f"{key}: &x {value.strip()}\n" if sign == "&x" else f"{key}: *x\n"
    return "".join(lines)


def _with_a_merge(text: str, drawn: random.Random) -> str:
    return _after_a_key(text, drawn, "<<: {a: 1}")


def _with_a_bomb(text: str, drawn: random.Random) -> str:
    doubled = "\n".join(f"b{n}: &b{n} [{', '.join([f'*b{n - 1}'] * 9)}]" for n in range(1, 9))
    return f"b0: &b0 x\n{doubled}\n{text}"


def _deep(text: str, drawn: random.Random) -> str:
    return _after_a_key(text, drawn, "deep: " + "[" * drawn.choice((50, 400)))


def _with_a_tag(text: str, drawn: random.Random) -> str:
    tag = drawn.choice(("!!python/object:os.system", "!!binary", "!x", "!!set", "!!int"))
    return text.replace(": ", f": {tag} ", 1)


def _another_document(text: str, drawn: random.Random) -> str:
    return f"{text}---\n{text}"


def _after_a_key(text: str, drawn: random.Random, line: str) -> str:
    lines = text.splitlines(keepends=True)
    chosen = drawn.randrange(len(lines))
    before = lines[chosen]
    lines.insert(chosen, f"{' ' * (len(before) - len(before.lstrip()))}{line}\n")
    return "".join(lines)


SCRIBBLES: tuple[Callable[[str, random.Random], str], ...] = (
    *(_cut, _without_a_line, _with_a_line_twice, _indented, _with_a_character),
    *(_with_an_alias, _with_a_merge, _with_a_bomb, _deep, _with_a_tag, _another_document),
)


def scribbled(text: str, drawn: random.Random) -> str:
    """Text with damage that no value can have: cut, indented otherwise, keys twice, aliases, tags."""
    for _ in range(drawn.choice((1, 1, 2))):
        if text.strip():
            text = drawn.choice(SCRIBBLES)(text, drawn)
    return text


def as_json(value: Any) -> str:
    """A value as a facts file has it; numbers that JSON has no word for as Python writes them."""
    return json.dumps(value, indent=2)
