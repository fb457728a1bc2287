"""Brings over the cluster of another tool's file: its description, as the text of a stack file."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from muster.addresses import schema_address
from muster.cli.new_stack import WIDTH, comment_lines
from muster.edits import flow_text
from muster.finding import WrongInput, parse_dotted_path
from muster.jobs.manifest_yaml import dump
from muster.message_text import count_noun

if TYPE_CHECKING:
    from muster.sources.formats import Format
    from muster.sources.source import ImportedDescription, InputFile, LeftOut


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """A file of another tool, and the description of its cluster."""

    file: "InputFile"
    format: "Format"
    described: "ImportedDescription"

    @property
    def left_out(self) -> "list[LeftOut]":
        """The parts of the file that the description does not have, in the order of the file."""
        parts = set(self.described.left_out)
        return sorted(parts, key=lambda each: (each.position.line, each.position.column, each.path))

    @property
    def assumed(self) -> dict[str, Any]:
        """Dotted path -> the value that Muster wrote because the file does not have it."""
        return {path: _value_at(self.described.cluster, path) for path in self.described.placeholders}

    def described_json(self) -> dict[str, Any]:
        """What is left out, and what is assumed, for `--json`."""
        left = [
            {"path": each.path, "line": each.position.line, "column": each.position.column, "why": each.why}
            for each in self.left_out
        ]
        return {"leftOut": left, "assumed": self.assumed}

    def notes(self) -> Iterator[str]:
        """One line for each part that is left out, and for each value that the file does not have."""
        file = self.file.shown
        for each in self.left_out:
            yield f"{file}:{each.position.line}:{each.position.column}: {each.path} is left out: {each.why}"
        for path, value in self.assumed.items():
            yield f"{file}: {path} is not in the file; Muster writes {flow_text(value)}: check it, or replace it"

    def text(self) -> str:
        """The text of the stack file."""
        head = f"Written by `muster init --from-file {self.file.shown}`, from this {self.format.noun}."
        left = [f"{each.path}: {each.why}" for each in self.left_out]
        assumed = [f"{path}: {flow_text(value)}" for path, value in self.assumed.items()]
        config = {"aws:region": self.described.region, "muster:cluster": dict(self.described.cluster)}
        return "\n".join(
            (
                f"# yaml-language-server: $schema={schema_address('stack')}",
                *comment_lines(head),
                *_listed("The file does not have these values. Set your own:", assumed),
                *_listed(f"It leaves out {count_noun(len(left), 'part')} of the file:", left),
                dump({"config": config}, WIDTH, flow=None),
            )
        )


def _listed(title: str, entries: list[str]) -> list[str]:
    return [f"# {title}", *(line for each in entries for line in comment_lines(f"- {each}"))] if entries else []


def _value_at(cluster: Any, path: str) -> Any:
    here = cluster
    for step in parse_dotted_path(path):
        here = here[step] if isinstance(step, int) else here.get(step) if isinstance(here, Mapping) else None
    return here


def import_file(path: Path, region: str | None = None) -> ImportedFile:
    """Reads a file, and describes its cluster.

    Args:
        path: the file; ``-`` is stdin.
        region: the Region. Default: the file's.

    Raises:
        WrongInput: it cannot be read, has no known format, or has no cluster that a description can have.
    """
    from muster.sources.recognition import open_file, recognize
    from muster.sources.source import CannotBeRead, file_noun
    from muster.stack.stack_checks import region_problem

    if region and (wrong := region_problem(region)):
        raise WrongInput(wrong)
    try:
        file = open_file(path)
        format_ = recognize(file)
        if not format_.describes:
            raise WrongInput(f"{file.shown}: this {format_.noun} has no whole cluster; `muster check {path}` judges it")
        own = format_.describe(file)
        if region and own.region and region != own.region:
            raise WrongInput(f"{file.shown}: the file has Region {own.region}, not {region}; leave out --region")
        described = own if own.region or not region else format_.describe(file, region)
    except CannotBeRead as fault:
        shown, message = file_noun(path), str(fault)
        raise WrongInput(message if message.startswith(shown) else f"{shown}: {message}") from None
    return ImportedFile(file, format_, described)
