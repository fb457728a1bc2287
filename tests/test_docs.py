"""What the pages show is true."""

import json
import re
import shlex
from collections.abc import Iterator
from itertools import takewhile
from typing import Any

import typer
from typer.main import get_command

from muster.cli.main import app
from muster.config.validation import validate
from muster.fleet.facts import Facts
from muster.policies.engine.rule_index import sheet_of
from tests.stack_files import ROOT

PAGES = [
    *ROOT.glob("*.md"),
    *(ROOT / "docs").rglob("*.md"),
    *(ROOT / "stacks").rglob("*.md"),
    *(ROOT / "examples").glob("*/*.md"),
]

USAGE: Any = typer.BadParameter.__mro__[1]
"""What is said against a command line; typer has its own, and names only this part of it."""


def test_links_lead_somewhere() -> None:
    """Of pages outside of the site: building the site checks the others."""
    for page in (each for each in PAGES if not each.is_relative_to(ROOT / "docs")):
        links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        assert [link for link in links if not (page.parent / link).exists()] == [], page


def test_paths_of_the_repository_exist() -> None:
    """The pages for contributors name many files; `NAME` and the like stand for any."""
    for page in (ROOT / "docs" / "contributing").glob("*.md"):
        named = re.findall(
            r"`((?:muster|infra|addons|policies|tests|tools|docs|stacks|examples)/[^` ]+)`", page.read_text()
        )
        assert [each for each in named if not any(ROOT.glob(re.sub(r"[A-Z]{4,}", "*", each)))] == [], page


def test_findings_shown_give_the_reason_of_their_rule() -> None:
    shown = [
        (page, *found)
        for page in PAGES
        for found in re.findall(r" ([a-z-]+): .*\n +why: (.*)", page.read_text(encoding="utf-8"))
    ]
    assert shown
    assert [each for each in shown if sheet_of(each[1]).why != each[2]] == []


def test_the_facts_shown_have_the_form_of_facts() -> None:
    text = (ROOT / "stacks" / "facts" / "README.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    made, faults = validate(Facts, json.loads(shown))
    assert made is not None, faults


def commands(text: str) -> Iterator[tuple[str, bool]]:
    """What a page tells people to type of `muster`: in its blocks for a shell, where it is whole, and in its lines."""
    blocks = re.findall(r"^ *```(?:sh|bash)\n(.*?)```", text, re.DOTALL | re.MULTILINE)
    for each in re.findall(r"^ *```console\n(.*?)```", text, re.DOTALL | re.MULTILINE):
        blocks += re.findall(r"^ *\$ (?:.*\\\n)*.*", each, re.MULTILINE)  # not the output
    for line in "\n".join(blocks).replace("\\\n", " ").splitlines():
        for found in re.findall(r"(?:^|[|;&(] ?|\$ )(muster .*)", line.strip()):
            yield found, True
    for found in re.findall(r"`(muster [^`]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL).replace("\n", " ")):
        yield found, False


def typed(command: str) -> list[str]:
    """The words of the command itself, without what a shell does with its output."""
    lexer = shlex.shlex(command.replace(" 2>", " >"), posix=True, punctuation_chars="|<>;&()")
    lexer.whitespace_split = True
    return list(takewhile(lambda word: word[0] not in "|<>;&()", lexer))[1:]


def not_understood(words: list[str], *, whole: bool) -> str:
    """What the command says against them, which it does not do; empty where it understands them."""
    if words[0] in {"--version", "--install-completion", "--show-completion"}:
        return ""  # parsing them does what they say
    command: Any = get_command(app)
    try:
        context = command.make_context("muster", words)
        while hasattr(command, "resolve_command"):
            name, command, rest = command.resolve_command(context, [*context._protected_args, *context.args])
            context = command.make_context(name, rest, parent=context)
    except typer.Exit:
        return ""  # it would show its help
    except USAGE as error:
        unfinished = type(error).__name__ in {"MissingParameter", "NoArgsIsHelpError"}
        return "" if unfinished and not whole else error.format_message()
    return ""


def test_the_command_knows_what_is_shown() -> None:
    """Its commands and their options: a page that shows one that is gone sends people astray."""
    for page in PAGES:
        said = {
            command: not_understood(typed(command), whole=whole)
            for command, whole in commands(page.read_text(encoding="utf-8"))
        }
        assert {command: words for command, words in said.items() if words} == {}, page
