"""Which files `muster init` leaves: both, or none, and nobody else's."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from muster import written_files
from muster.cli.commands import init as command
from muster.cli.commands.init import create_files
from muster.cli.exits import WrongInput
from tests.account.accounts import there
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
        f"error: {taken} already exists, and init never overwrites a file; use another name, or move the file away\n",
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
    assert (ran.code, "already exists, and init never overwrites" in ran.err) == (2, True)
    assert (left(muster), file.read_text()) == ([str(file.relative_to(muster.folder))], "theirs\n")


@pytest.mark.parametrize("fault", [KeyboardInterrupt(), OSError(28, "No space left on device")])
def test_nothing_is_left_behind_when_it_is_stopped(
    muster: Muster, run: Run, monkeypatch: pytest.MonkeyPatch, fault: BaseException
) -> None:
    """Not the stack without its facts."""
    create = written_files.create

    def stopped(file: Path, text: str) -> None:
        if file.suffix == ".json":
            raise fault
        create(file, text)

    monkeypatch.setattr(written_files, "create", stopped)
    ran = run(Account(), "--reservation", ODCR)
    assert ran.code == (130 if isinstance(fault, KeyboardInterrupt) else 2)
    assert left(muster) == []
    assert not (muster.folder / "stacks" / "facts").exists()


def test_outside_of_a_project_it_says_so(muster: Muster, monkeypatch: pytest.MonkeyPatch, tmp_path_factory) -> None:
    """There is no folder to write into."""
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    ran = muster("init", "p5-mine", "--reservation", ODCR, *IN_REGION)
    assert (ran.code, ran.err.startswith("error: there is no Pulumi.yaml with a stacks/ folder in ")) == (2, True)


def test_of_many_who_make_one_file_at_once_one_does(tmp_path: Path) -> None:
    """Complete, and nothing is left of the others'."""
    file = tmp_path / "Pulumi.p5-mine.yaml"
    ready = Barrier(_MANY)

    def make(number: int) -> bool:
        ready.wait()
        try:
            written_files.create(file, f"{number}\n" * 10_000)
        except FileExistsError:
            return False
        return True

    with ThreadPoolExecutor(_MANY) as pool:
        made = list(pool.map(make, range(_MANY)))
    assert made.count(True) == 1
    assert file.read_text() == f"{made.index(True)}\n" * 10_000
    assert list(tmp_path.iterdir()) == [file]


_MANY = 16


def test_of_two_who_make_one_stack_at_once_one_does(muster: Muster, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever comes second, even between the other's two files, takes nothing of it away."""
    keep = command._keep

    def twice(made: object) -> None:
        monkeypatch.setattr(command, "_keep", keep)
        keep(made)  # type: ignore[arg-type]
        keep(made)  # type: ignore[arg-type]

    monkeypatch.setattr(command, "_keep", twice)
    ran = run(Account(), "--reservation", ODCR)
    assert (ran.code, ("stacks/Pulumi.p5-mine.yaml already exists, and init never overwrites a file") in ran.err) == (
        2,
        True,
    )
    assert left(muster) == ["stacks/Pulumi.p5-mine.yaml", "stacks/facts/p5-mine.json"]


def test_a_folder_that_is_none_is_told(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its own name, before AWS is asked for what could not be kept."""
    facts = muster.folder / "stacks" / "facts"
    facts.write_text("mine\n")
    with there(Account().answers(), monkeypatch) as aws:
        ran = muster("init", "p5-mine", "--reservation", ODCR, *IN_REGION)
    assert (ran.code, ran.out, aws.asked) == (2, "", [])
    assert ran.err == (
        "error: stacks/facts/p5-mine.json cannot be written: stacks/facts is not a folder; Muster did not query AWS\n"
    )
    assert left(muster) == ["stacks/facts"]


def test_a_folder_that_is_none_by_then_leaves_no_stack_without_facts(muster: Muster) -> None:
    """It was one when AWS was asked."""
    facts = muster.folder / "stacks" / "facts"
    facts.write_text("mine\n")
    with pytest.raises(WrongInput, match=r"p5-mine\.json cannot be written: .*facts is not a folder$"):
        create_files({muster.file("p5-mine"): "config: {}\n", facts / "p5-mine.json": "{}\n"})
    assert left(muster) == ["stacks/facts"]
