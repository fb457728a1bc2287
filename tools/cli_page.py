"""`docs/reference/cli.md`: every command of `muster`, its arguments and options, and the exit codes."""

import re
from collections.abc import Iterator
from typing import Any

import typer
from typer.main import get_command

from muster.cli.exits import Exit
from muster.cli.main import app

_HEAD = """\
# Command line

Generated from the commands. The option `--help` of a command prints the same. Every command understands `--json`.
The option `--install-completion` of `muster` installs completion for your shell.

## Exit codes

| code | meaning |
|---|---|
| `0` | No mandatory finding. Advisory findings do not change the exit code. |
| `1` | A mandatory finding; or a job that does not start; or a change with the cost of `--fail-on`. |
| `2` | Wrong input: a schema error, an unknown name, a wrong option. |
| `3` | A bug in Muster. |
| `4` | With `--strict`: a rule was not evaluated. |
| `130` | You pressed Ctrl-C. |

If several apply, the first of 3, 2, 1, 4 wins.

## Environment variables

| variable | what it sets |
|---|---|
| `MUSTER_AS_OF` | The day for calendars and end dates, as `--as-of` does. |
| `MUSTER_DEBUG` | Any value: a bug in Muster prints its traceback. |
| `MUSTER_PARALLELCLUSTER` | The Python that has AWS ParallelCluster's package. |
| `XDG_CACHE_HOME` | The folder of the cache. Default: `~/.cache`. |
| `KUBEBUILDER_ASSETS` | A folder with programs of the control plane for rehearsals. |
| `NO_COLOR` | Any value: no colors. |

## Commands

| command | what it does |
|---|---|
"""
assert {int(each) for each in Exit} == set(range(5)), "the table above lists them"


def page() -> str:
    """The whole page."""
    commands = list(_commands())
    rows = (f"| [`{name}`](#{_anchor(name)}) | {_cell(_first(command.help))} |" for name, command in commands)
    return _HEAD + "\n".join([*rows, "", *(line for name, command in commands for line in _section(name, command))])


def _commands() -> Iterator[tuple[str, Any]]:
    """Each command with its full name, each group before its commands."""
    group: Any = get_command(app)
    context = group.make_context("muster", [], resilient_parsing=True)
    for name in group.list_commands(context):
        _, command, _ = group.resolve_command(context, [name])
        yield from _with_subcommands(f"muster {name}", command)


def _with_subcommands(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    yield name, command
    if hasattr(command, "list_commands"):
        context = typer.Context(command, info_name=name)
        for below in command.list_commands(context):
            yield from _with_subcommands(f"{name} {below}", command.get_command(context, below))


def _section(name: str, command: Any) -> Iterator[str]:
    context = typer.Context(command, info_name=name)
    usage = " ".join(command.collect_usage_pieces(context)).replace("[STACK...]...", "[STACK]...")
    yield from (f"### {name}", "", _prose(command.help or ""), "", "```text", f"{name} {usage}".rstrip(), "```", "")
    if rows := [row for each in command.params if (row := each.get_help_record(context))]:
        yield from ("| argument or option | what it does |", "|---|---|")
        yield from (f"| `{_ARGUMENT_TYPE.sub('', names)}` | {_cell(text)} |" for names, text in rows)
        yield ""


_ARGUMENT_TYPE = re.compile(r"(?<=[A-Z.]) <[a-z\[\]]+>$")
"""Typer appends the type of an argument to its name."""


def _first(text: str | None) -> str:
    return (text or "").strip().split("\n\n")[0]


def _prose(text: str) -> str:
    """Paragraphs, each in one line. A backspace marks a paragraph that typer must not wrap."""
    return "\n\n".join(" ".join(part.replace("\b", "").split()) for part in text.strip().split("\n\n"))


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w-]", "", heading.lower().replace(" ", "-"))
