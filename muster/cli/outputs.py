"""The outputs of a report, each with a format: `-o sarif=muster.sarif,markdown=-`.

Every output is checked before any rule is evaluated, so that a run does not end with an output that cannot be written.
A file is written completely or not at all. Folders are not created.
"""

import contextlib
import io
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from muster import terminal, written_files
from muster.cli.findings import Report, StackReport, Where
from muster.cli.writers import text
from muster.finding import WrongInput
from muster.message_text import did_you_mean

STDOUT = "-"


class Format(StrEnum):
    """The formats of a report."""

    TABLE = "table"
    JSON = "json"
    SARIF = "sarif"
    JUNIT = "junit"
    MARKDOWN = "markdown"
    GITHUB = "github"


@dataclass(frozen=True, slots=True)
class Output:
    """One format and its file."""

    format: Format
    file: Path | None = None
    """None for stdout."""
    verbose: bool = False
    """Whether a table has all details."""


Made = Callable[[], Iterable[str]]
"""A command's own output in a format, in parts."""

OutputOption = Annotated[
    list[str] | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FORMAT[=PATH],...",
        help="Format of the report, with an optional file: table, json, sarif, junit, markdown or github "
        "(annotations). Give several separated by commas. Without a file, or with -, the report goes to stdout. "
        "Default: table.",
    ),
]


def outputs(options: Iterable[str] | None, *, as_json: bool = False, verbose: bool = False) -> tuple[Output, ...]:
    """The outputs of the options, in order. Default: the table on stdout.

    Args:
        options: the values of `-o`.
        as_json: whether `--json` was given, which is `-o json`.
        verbose: whether tables have all details.

    Raises:
        WrongInput: a format is unknown, two outputs have the same file, or a file cannot be written; the message has
            all errors.
    """
    faults: list[str] = []
    made = [Output(Format.JSON)] if as_json else []
    for one in (part for each in options or () for part in each.split(",")):
        name, equals, path = one.partition("=")
        known = [each.value for each in Format]
        if name.strip() not in known:
            meant = did_you_mean(name.strip(), known)
            faults.append(f"-o: no format '{name.strip()}'{meant} (formats: {', '.join(known)})")
        elif equals and not path:
            faults.append(f"-o {one} has no file; use {name}=FILE, or only {name} for stdout")
        else:
            made.append(Output(Format(name.strip()), Path(path) if path and path != STDOUT else None, verbose))
    faults += _together(made)
    faults += [fault for each in made if each.file and (fault := in_the_way(each.file))]
    if faults:
        raise WrongInput(*faults)
    return tuple(made) or (Output(Format.TABLE, verbose=verbose),)


def _together(made: list[Output]) -> Iterable[str]:
    """The errors of outputs with the same file."""
    printed = [each.format.value for each in made if each.file is None]
    if len(printed) > 1:
        yield f"{' and '.join(printed)} cannot all go to stdout; give files, as in {printed[1]}=FILE"
    files = [each.file for each in made if each.file]
    for file in sorted({file for file in files if files.count(file) > 1}):
        yield f"two formats have the file '{file}'; give each a separate file"


def in_the_way(file: Path) -> str:
    """Why a file cannot be written, as far as this is known in advance; empty if it can."""
    try:
        if not file.parent.is_dir():
            return f"cannot write '{file}': there is no folder '{file.parent}'; give another file"
        written_files.require_place(file)
    except (OSError, ValueError) as fault:  # ValueError: a name that no file can have
        return f"cannot write '{file}': {getattr(fault, 'strerror', None) or fault}; give another file"
    return ""


def write(report: Report, wanted: Iterable[Output], *, table: Made | None = None, json: Made | None = None) -> None:
    """Writes a report to all outputs; to stdout last, because its reader may have closed the pipe.

    Args:
        report: the report.
        wanted: the result of `outputs`.
        table: the command's own table, if it has more than the report.
        json: the command's own JSON, if it has more than the report.

    Raises:
        WrongInput: a file cannot be written. All others are written, and the message has every error.
    """
    faults = []
    for each in sorted(wanted, key=lambda output: output.file is None):
        text = _text(report, each, table, json)
        if each.file is None:
            terminal.write(text)
            continue
        try:
            written_files.write(each.file, text)
        except OSError as fault:
            faults.append(
                f"cannot write '{each.file}': {fault.strerror}; give a file in a folder that you can write to"
            )
    if faults:
        raise WrongInput(*faults)


def _text(report: Report, output: Output, table: Made | None, json: Made | None) -> str:
    """The report in one format. Only the writer of that format is imported. The table and JSON have a separate part for
    changes since a commit; the other formats have them among the findings."""
    if output.format is Format.TABLE:
        return _table(report, output, table)
    if output.format is Format.JSON and json:
        return "".join(json())
    of_checkout = output.format in {Format.SARIF, Format.GITHUB}
    writer = import_module(f"muster.cli.writers.{output.format}")
    text: str = writer.write(in_checkout(report) if of_checkout else report)
    return text


def _table(report: Report, output: Output, made: Made | None) -> str:
    # A table for a file has no color and no terminal width, even when stdout is a terminal.
    with contextlib.redirect_stdout(io.StringIO()) if output.file else contextlib.nullcontext():
        style = terminal.style(verbose=output.verbose)
        return "".join(made()) if made else terminal.text_of(text.lines(report, style))


def in_checkout(report: Report) -> Report:
    """The report with paths relative to the root of the git checkout, which readers of annotations expect, regardless
    of the working directory. Files outside a checkout keep their paths."""
    here = Path.cwd()
    root = next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here)

    def called(file: str) -> str:
        path = Path(os.path.normpath(here / file)) if file else Path()
        return path.relative_to(root).as_posix() if file and path.is_relative_to(root) else file

    def moved(where: Where) -> Where:
        return replace(where, file=called(where.file))

    def of_stack(stack: StackReport) -> StackReport:
        return replace(
            stack,
            file=called(stack.file),
            findings=tuple(replace(each, where=moved(each.where)) for each in stack.findings),
            known=tuple(replace(each, where=moved(each.where)) for each in stack.known),
            suppressed=tuple(
                each._replace(found=replace(each.found, where=moved(each.found.where))) for each in stack.suppressed
            ),
        )

    return replace(report, stacks=tuple(map(of_stack, report.stacks)))
