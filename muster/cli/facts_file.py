"""The file of a stack's facts: whether it can be written, and what stays of it when AWS has answered anew."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from muster.cli.exits import WrongInput
from muster.fleet.kept_facts import Kept, Left, Replaced, Step, pointer

if TYPE_CHECKING:
    from muster.fleet.facts import Facts

_MOST = 10
"""How many values are listed; `--json` has them all."""


@dataclass(frozen=True, slots=True)
class Saved:
    """What a file has from now on, beside the answers."""

    file: Path
    kept: tuple[Kept, ...] = ()
    """What AWS did not answer now, as it stood there."""
    replaced: tuple[Replaced, ...] = ()
    """What it answered another way than it stood there."""
    left: tuple[Left, ...] = ()
    """What stood there and it was not asked any more, or answered without."""
    copy: Path | None = None
    """Where all that stood there is kept, where it could not be joined with the answers."""
    why: str = ""
    """Why not."""


def ready(file: Path) -> None:
    """To be called before AWS is asked: answers that cannot be kept are asked for in vain.

    Raises:
        WrongInput: the file cannot be written, or what stands there cannot be read and would be lost.
    """
    from muster.cli import whole_file

    try:
        whole_file.try_writing(file)
        if file.is_file():
            file.read_bytes()
    except OSError as fault:
        raise WrongInput(f"{_cannot(file, fault)}; nothing was asked") from None


def save(file: Path, facts: "Facts", open_: Collection[Step]) -> Saved:
    """Writes what AWS answered, and loses nothing of what it did not answer (`muster.fleet.kept_facts`).

    What stands there and has faults, or is of another account or Region, is kept whole in a copy.

    Args:
        file: of the facts.
        facts: what AWS answered.
        open_: what it was asked and did not answer.

    Raises:
        WrongInput: it cannot be written; what was there is there.
    """
    from muster.cli import whole_file
    from muster.fleet.facts_beside import load_facts
    from muster.fleet.kept_facts import Merged, merge, of_another

    old, _, faults = load_facts(file)
    other = of_another(old, facts) if old else ""
    why = f"it has faults, the first at {faults[0]}: {faults[0].finding.got}" if faults else ""
    why = f"it is of {other}" if other else why
    merged = merge(old, facts, open_) if old and not why else Merged(facts)
    try:
        file.parent.mkdir(exist_ok=True)
        copy = whole_file.beside(file) if why else None
        whole_file.write(file, text(merged.facts))
    except OSError as fault:
        raise WrongInput(_cannot(file, fault)) from None
    return Saved(file, merged.kept, merged.replaced, merged.left, copy, why)


def text(facts: "Facts") -> str:
    """Facts as their file has them."""
    from muster.cli.writers.json import dump
    from muster.fleet.kept_facts import written

    return dump({"contract": 1, **written(facts)})


def lines(saved: Saved) -> Iterator[str]:
    """What became of the file, for people."""
    from muster.cli.terminal import one_line
    from muster.words import counted

    yield one_line(f"saved: {saved.file}")
    if saved.copy:
        yield one_line(f"    what stood there is kept as {saved.copy}: {saved.why}")
    what = (
        "that AWS answered another way than the file said",
        "kept from before, which AWS did not answer now",
        "left out, which AWS was not asked for any more, or answered without",
    )
    for many, words in zip((saved.replaced, saved.kept, saved.left), what, strict=True):
        if many:
            yield f"    {counted(len(many), 'value')} {words}:"
            yield from (one_line(f"        {each}") for each in many[:_MOST])
        if len(many) > _MOST:
            yield f"        and {len(many) - _MOST} more"


def described(saved: Saved) -> dict[str, Any]:
    """The same for programs."""
    return {
        "kept": {pointer(each.path): each.observed and each.observed.isoformat() for each in saved.kept},
        "replaced": [{"path": pointer(each.path), "was": each.was, "now": each.now} for each in saved.replaced],
        "left": [{"path": pointer(each.path), "was": each.was} for each in saved.left],
        "copy": str(saved.copy) if saved.copy else None,
    }


def _cannot(file: Path, fault: OSError) -> str:
    why = f"{file.parent} is no folder" if isinstance(fault, NotADirectoryError) else fault.strerror
    return f"{file} cannot be written: {why}"
