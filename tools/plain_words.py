"""Finds words and phrases that texts for people do not use (`plain_words.toml`; why: docs/contributing/writing.md).

    python -m tools.plain_words [PATH...]

It reads the text of all strings and comments in Python, of comments in YAML, and of Markdown outside code. Exit code 1:
it found one.
"""

import ast
import re
import sys
import tokenize
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tools import product

ROOT = product.ROOT
LIST = Path(__file__).with_name("plain_words.toml")
PLACES = (
    *(
        "README.md",
        "CHANGELOG.md",
        "changelog.d",
        "__main__.py",
        "docs",
        "examples",
        *product.FOLDERS,
        "stacks",
        "tests/corpus/broken",
        "tests/corpus/sound",
        "tools",
    ),
    *("action.yml", ".pre-commit-hooks.yaml", ".github", "Makefile", "Containerfile"),
)
"""What `make verify` looks at: the product, and what its users read."""
NOT_OURS = ("docs/schema/", "docs/contributing/writing.md", "tools/plain_words.toml", "node_modules/", ".venv/")
"""What is generated from strings, and the files that show the phrases."""
_COMMENTED = frozenset({".yaml", ".yml"})
_NAMES = frozenset({"Makefile", "Containerfile"})
_CODE_OR_LINK = re.compile(r"``?[^`\n]+``?|\]\([^)\n]*\)|\[[a-z0-9-]+(?=\])")
"""Code, the targets of links, and links whose text is the name of an entry or a rule."""
_TEXT_KEYS = re.compile(r"^(?:says|description): (.+)$")
"""Keys at the top of a YAML file whose values are texts."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A pattern that no text may match, and what to write instead."""

    pattern: re.Pattern[str]
    instead: str


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of text that starts at a line of a file."""

    file: Path
    line: int
    words: str


def phrases() -> tuple[Phrase, ...]:
    """The list."""
    entries = tomllib.loads(LIST.read_text(encoding="utf-8"))["phrase"]
    return tuple(Phrase(re.compile(each["pattern"], re.IGNORECASE | re.MULTILINE), each["instead"]) for each in entries)


def texts_of(file: Path) -> Iterator[Text]:
    """What people read in a file."""
    if file.suffix == ".py":
        yield from _strings(file)
        yield from _python_comments(file)
    elif file.suffix == ".md":
        yield from _prose(file)
    else:
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            _, mark, comment = line.partition("# ")
            if mark:
                yield Text(file, number, comment)
            if text := _TEXT_KEYS.match(line):
                yield Text(file, number, text[1])


def _strings(file: Path) -> Iterator[Text]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.JoinedStr):
            parts = (str(each.value) if isinstance(each, ast.Constant) else "…" for each in node.values)
            yield Text(file, node.lineno, "".join(parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield Text(file, node.lineno, re.sub(r"``?[^`\n]+``?", "…", node.value))


def _python_comments(file: Path) -> Iterator[Text]:
    with tokenize.open(file) as lines:
        for token in tokenize.generate_tokens(lines.readline):
            if token.type == tokenize.COMMENT:
                yield Text(file, token.start[0], token.string)


def _prose(file: Path) -> Iterator[Text]:
    fenced = False
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced:
            yield Text(file, number, _CODE_OR_LINK.sub("…", line))


def files_in(places: list[Path]) -> Iterator[Path]:
    """The files below, in order."""
    for place in places:
        for file in sorted(place.rglob("*")) if place.is_dir() else [place]:
            name = file.relative_to(ROOT).as_posix() if file.is_relative_to(ROOT) else str(file)
            skipped = any(part in f"{name}/" for part in NOT_OURS)
            if not skipped and file.is_file() and (file.suffix in {".py", ".md", *_COMMENTED} or file.name in _NAMES):
                yield file


def main(arguments: list[str]) -> int:
    """Prints each place with what to write instead."""
    known, found = phrases(), 0
    places = [Path(each).resolve() for each in arguments] or [ROOT / each for each in PLACES if (ROOT / each).exists()]
    for file in files_in(places):
        seen = set()
        for text in texts_of(file):
            for phrase in known:
                for match in phrase.pattern.finditer(text.words):
                    line = text.line + text.words.count("\n", 0, match.start())
                    if (line, match.group()) not in seen:
                        seen.add((line, match.group()))
                        found += 1
                        shown = file.relative_to(ROOT) if file.is_relative_to(ROOT) else file
                        print(f"{shown}:{line}: '{match.group().strip()}': write {phrase.instead}")
    print(f"{found} places" if found else "plain words: nothing found")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
