"""Which files `muster init` leaves: both, or none, and nobody else's."""

from pathlib import Path

import pytest

from muster.cli import init as command
from muster.cli import whole_file
from tests.account.init_runs import IN_REGION, Run, left
from tests.account.new_stacks import (
    ODCR,
    Account,
)
from tests.cli.conftest import Muster


@pytest.mark.parametrize("taken", ["stacks/Pulumi.p5-mine.yaml", "stacks/facts/p5-mine.json"])
def test_a_file_that_is_there_is_never_overwritten(muster: Muster, run: Run, taken: str) -> None:
    """Nor its facts: nothing is asked, nothing else is written."""
    file = muster.folder / taken
    file.parent.mkdir(exist_ok=True)
    file.write_text("mine\n")
    ran = run(Account(), "--reservation", ODCR)
    assert (ran.code, ran.err) == (
        2,
        f"error: {taken} is there, and is never overwritten; take another name, or move it away\n",
    )
    assert (left(muster), file.read_text()) == ([taken], "mine\n")


@pytest.mark.parametrize("facts", [False, True])
def test_nor_one_that_appears_meanwhile(muster: Muster, run: Run, monkeypatch: pytest.MonkeyPatch, facts: bool) -> None:
    """Somebody else's stays, and nothing of ours is left."""
    file = muster.folder / "stacks" / ("facts/p5-mine.json" if facts else "Pulumi.p5-mine.yaml")
    keep = command._keep

    def later(made: object) -> None:
        file.parent.mkdir(exist_ok=True)
        file.write_text("theirs\n")
        keep(made)  # type: ignore[arg-type]

    monkeypatch.setattr(command, "_keep", later)
    ran = run(Account(), "--reservation", ODCR)
    assert (ran.code, "is there, and is never overwritten" in ran.err) == (2, True)
    assert (left(muster), file.read_text()) == ([str(file.relative_to(muster.folder))], "theirs\n")


@pytest.mark.parametrize("fault", [KeyboardInterrupt(), OSError(28, "No space left on device")])
def test_nothing_is_left_behind_when_it_is_stopped(
    muster: Muster, run: Run, monkeypatch: pytest.MonkeyPatch, fault: BaseException
) -> None:
    """Not the stack without its facts."""
    create = whole_file.create

    def stopped(file: Path, text: str) -> None:
        if file.suffix == ".json":
            raise fault
        create(file, text)

    monkeypatch.setattr(whole_file, "create", stopped)
    ran = run(Account(), "--reservation", ODCR)
    assert ran.code == (130 if isinstance(fault, KeyboardInterrupt) else 2)
    assert left(muster) == []


def test_outside_of_a_project_it_says_so(muster: Muster, monkeypatch: pytest.MonkeyPatch, tmp_path_factory) -> None:
    """There is no folder to write into."""
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    ran = muster("init", "p5-mine", "--reservation", ODCR, *IN_REGION)
    assert (ran.code, ran.err.startswith("error: no Pulumi.yaml with a stacks/ folder in ")) == (2, True)
