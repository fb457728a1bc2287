"""The file of a stack's facts: checks whether it can be written, and merges new answers of AWS into it."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from muster.cli.exits import WrongInput
from muster.fleet.facts_merge import KeptFact, to_json_pointer

if TYPE_CHECKING:
    from muster.fleet.facts import Facts

_MOST = 10
"""The largest number of values in the list; `--json` has all of them."""


@dataclass(frozen=True, slots=True)
class Saved:
    """The result of saving facts, apart from the answers."""

    file: Path
    kept: tuple[KeptFact, ...] = ()
    """Saved facts that were kept because AWS did not answer their queries."""
    copy: Path | None = None
    """The new name of the previous file, if its facts could not be merged with the answers."""
    why: str = ""
    """Why they could not be merged."""


def require_writable(file: Path) -> None:
    """Checks, before any query to AWS, that the file of facts can be written.

    Raises:
        WrongInput: the file cannot be written.
    """
    from muster import written_files

    try:
        written_files.require_writable(file)
    except OSError as fault:
        raise WrongInput(f"{_cannot(file, fault)}; Muster did not query AWS") from None


def save(file: Path, project: Path, facts: "Facts", open_: Collection[str]) -> Saved:
    """Writes AWS's answers, and keeps the saved facts whose queries AWS did not answer (`muster.fleet.facts_merge`).

    An existing file that has errors, or is of another account or Region, is kept under another name.

    Args:
        file: the file of facts.
        project: the root of its project.
        facts: AWS's answers.
        open_: the sections about which AWS did not answer a query.

    Raises:
        WrongInput: the file cannot be written; the existing file is unchanged.
    """
    from muster import written_files
    from muster.config.stack_checks import load_facts
    from muster.fleet.facts_merge import merge_facts, other_account

    old, _, faults = load_facts(file, project)
    other = other_account(old, facts) if old else ""
    why = f"it has errors, the first at {faults[0]}: {faults[0].finding.got}" if faults else ""
    why = f"it is of {other}" if other else why
    merged, kept = merge_facts(old, facts, open_) if old and not why else (facts, ())
    try:
        written_files.make_folder(file.parent)
        copy = written_files.write(file, text(merged), keep=bool(why))
    except OSError as fault:
        raise WrongInput(_cannot(file, fault)) from None
    return Saved(file, kept, copy, why)


def text(facts: "Facts") -> str:
    """Facts as text of their file."""
    from muster.cli.writers.json import dump
    from muster.fleet.facts_merge import facts_document

    return dump({"contract": 1, **facts_document(facts)})


def lines(saved: Saved) -> Iterator[str]:
    """Lines for a terminal about the file and the facts that were kept in it."""
    from muster.message_text import count_noun

    yield f"saved: {saved.file}"
    if saved.copy:
        yield f"    the previous file is kept as {saved.copy}: {saved.why}"
    if saved.kept:
        yield f"    {count_noun(len(saved.kept), 'value')} kept from the previous file, because AWS did not answer:"
        yield from (f"        {each}" for each in saved.kept[:_MOST])
    if len(saved.kept) > _MOST:
        yield f"        and {len(saved.kept) - _MOST} more"


def described(saved: Saved) -> dict[str, Any]:
    """The same as JSON data."""
    return {
        "kept": {to_json_pointer(each.path): each.observed and each.observed.isoformat() for each in saved.kept},
        "copy": str(saved.copy) if saved.copy else None,
    }


def _cannot(file: Path, fault: OSError) -> str:
    why = f"{file.parent} is not a folder" if isinstance(fault, NotADirectoryError) else fault.strerror
    return f"{file} cannot be written: {why}"
