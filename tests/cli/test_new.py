"""`muster new`: what it writes is a project as the checkout is. Words and refusals are in `transcripts/new.txt`."""

import sys
from pathlib import Path

import pytest
import yaml

from muster.addresses import WHEEL
from muster.cli.commands import new
from muster.stack.project import facts_file, stack_file, stacks
from tests.cli.conftest import Muster
from tests.stack_files import ROOT


def test_it_is_a_project_as_the_checkout_is(muster: Muster) -> None:
    """But for the toolchain, which in the checkout has a lock to read, and comments. Every example can be copied, with
    its facts, and with the schema's address for editors."""
    names = stacks(ROOT)
    assert muster("new", "made", *(f"--stack={name}" for name in names), "--json").json["stacks"] == names
    folder = muster.folder / "made"
    assert (folder / ".venv").resolve() == Path(sys.prefix).resolve()
    assert (folder / "requirements.txt").read_text() == f"muster-clusters @ {WHEEL}\n"
    own, made = (yaml.safe_load((each / "Pulumi.yaml").read_text()) for each in (ROOT, folder))
    assert {key: made[key] for key in ("name", "main", "stackConfigDir")} == {
        key: own[key] for key in ("name", "main", "stackConfigDir")
    }
    assert made["config"].keys() == own["config"].keys()
    program = (folder / "__main__.py").read_text()
    assert program.partition('"""\n')[2] == (ROOT / "__main__.py").read_text().partition('"""\n')[2]
    for name in names:
        first, _, rest = stack_file(folder, name).read_text().partition("\n")
        assert first.startswith("# yaml-language-server: $schema=https://")
        assert rest == stack_file(ROOT, name).read_text().partition("\n")[2]
        assert facts_file(folder, name).exists() is facts_file(ROOT, name).exists()


def test_an_empty_folder_will_do_with_git_or_without(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    (muster.folder / "empty" / ".git").mkdir(parents=True)
    monkeypatch.chdir(muster.folder / "empty")
    ran = muster("new", ".")
    assert ran.code == 0
    assert "  cd " not in ran.out


def test_a_system_python_is_not_linked(muster: Muster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pulumi would write into it: the project gets an environment of its own."""
    monkeypatch.setattr(new.sys, "prefix", str(tmp_path))
    assert "`pulumi install`" in muster("new", "made").out
    assert not (muster.folder / "made" / ".venv").is_symlink()
