"""Where a stack is looked for, and how a command ends early. Wrong input is in `transcripts/wrong_*.txt`."""

import re
import sys
from types import ModuleType

import pytest

from muster.cli.__main__ import main
from tests.cli.conftest import Muster


@pytest.mark.parametrize("command", [("check",), ("plan",), ("job", "nccl-tests", "--stack")], ids=" ".join)
def test_a_file_in_stacks_is_read_from_anywhere(
    muster: Muster,
    command: tuple[str, ...],
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The commands that a report advises then have the path, too."""
    at_home = muster.judged(*command, "p5-odcr")
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    ran = muster.judged(*command, str(muster.file()))
    assert ran.code == at_home.code == 0
    name, file = "p5-odcr", "stacks/Pulumi.p5-odcr.yaml"
    said = ran.out.replace(f"{muster.folder}/", "").replace(file, name)
    assert said.split() == at_home.out.replace(file, name).split()


def test_the_folder_of_stacks_may_be_a_link(muster: Muster) -> None:
    stacks = muster.folder / "stacks"
    stacks.rename(muster.folder / "shared")
    stacks.symlink_to("shared")
    assert muster("cost", "stacks/Pulumi.p5-odcr.yaml").code == 0


def test_a_stack_is_found_from_a_folder_below(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its name and by its file, and judged once."""
    monkeypatch.chdir(muster.folder / "stacks")
    assert len(re.findall(r"\d+ rules,", muster.judged("check", "p5-odcr", "./Pulumi.p5-odcr.yaml").out)) == 1


@pytest.mark.parametrize("name", ["x" * 300, "a\0b"])
def test_a_name_that_no_file_can_have(muster: Muster, name: str) -> None:
    assert muster("check", name).code == 2


class _Interrupted(ModuleType):
    def __getattr__(self, name: str) -> None:
        raise KeyboardInterrupt


def test_ctrl_c_while_the_command_loads_ends_it_quietly(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "muster.cli.main", _Interrupted("muster.cli.main"))
    assert main() == 130
    assert capsys.readouterr() == ("", "")
