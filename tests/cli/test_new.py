"""`muster new`: what it writes, and what it refuses."""

import sys
from pathlib import Path

import pytest
import yaml

from muster.addresses import WHEEL
from muster.cli.commands import new
from muster.stack.project import facts_file, stack_file, stacks
from tests.cli.conftest import Muster
from tests.stack_files import ROOT


def written(folder: Path) -> set[str]:
    """The files of a folder."""
    return {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file() and ".venv" not in file.parts}


def test_a_project_has_what_pulumi_and_muster_need(muster: Muster) -> None:
    ran = muster("new", "clusters/new one")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[:3] == ["created clusters/new one, with p5-odcr", "next:", "  cd 'clusters/new one'"]
    made = muster.folder / "clusters" / "new one"
    assert written(made) == {
        ".gitignore",
        "Pulumi.yaml",
        "README.md",
        "__main__.py",
        "requirements.txt",
        "stacks/Pulumi.p5-odcr.yaml",
        "stacks/facts/p5-odcr.json",
    }
    assert (made / ".venv").resolve() == Path(sys.prefix).resolve()
    assert (made / "requirements.txt").read_text() == f"muster-clusters @ {WHEEL}\n"


def test_it_is_a_project_as_the_checkout_is(muster: Muster) -> None:
    """But for the toolchain, which in the checkout has a lock to read, and comments."""
    muster("new", "made")
    own, made = (yaml.safe_load((folder / "Pulumi.yaml").read_text()) for folder in (ROOT, muster.folder / "made"))
    assert made["runtime"]["options"] == {"toolchain": "pip", "virtualenv": ".venv"}
    assert {key: made[key] for key in ("name", "main", "stackConfigDir")} == {
        key: own[key] for key in ("name", "main", "stackConfigDir")
    }
    assert made["config"].keys() == own["config"].keys()
    program = (muster.folder / "made" / "__main__.py").read_text()
    assert program.partition('"""\n')[2] == (ROOT / "__main__.py").read_text().partition('"""\n')[2]


def test_every_example_can_be_copied(muster: Muster) -> None:
    """With its facts, and with the schema's address for editors; `check` finds them."""
    names = stacks(ROOT)
    ran = muster("new", "all", *(f"--stack={name}" for name in names), "--json")
    assert ran.json["stacks"] == names
    made = muster.folder / "all"
    for name in names:
        first, _, rest = stack_file(made, name).read_text().partition("\n")
        assert first.startswith("# yaml-language-server: $schema=https://")
        assert rest == stack_file(ROOT, name).read_text().partition("\n")[2]
        assert facts_file(made, name).exists() is facts_file(ROOT, name).exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("full",), "'full' is not empty (it has a.txt); name a new folder, or an empty one"),
        ((".",), "'.' is not empty (it has Pulumi.yaml); name a new folder, or an empty one"),
        (("full/a.txt",), "'full/a.txt' is a file; name a new folder, or an empty one"),
        (
            ("full/a.txt/new",),
            "cannot create the project 'full/a.txt/new': Not a directory",
        ),
        (("new", "--stack", "p5-ocdr"), "no example stack 'p5-ocdr'; did you mean 'p5-odcr'?"),
        (("new", "--stack", "zzz"), "no example stack 'zzz' (there are: g4dn, "),
        (("new", "--stack", "../p5-odcr"), "no example stack '../p5-odcr'; did you mean 'p5-odcr'?"),
    ],
)
def test_what_it_refuses(arguments: tuple[str, ...], words: str, muster: Muster) -> None:
    """In one line with what to do; nothing is written."""
    (muster.folder / "full").mkdir()
    (muster.folder / "full" / "a.txt").touch()
    before = written(muster.folder)
    ran = muster("new", *arguments)
    assert (ran.code, ran.out, len(ran.err.splitlines())) == (2, "", 1)
    assert words in ran.err
    assert written(muster.folder) == before


def test_an_empty_folder_will_do_with_git_or_without(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    (muster.folder / "empty" / ".git").mkdir(parents=True)
    monkeypatch.chdir(muster.folder / "empty")
    ran = muster("new", ".")
    assert ran.code == 0
    assert "  cd " not in ran.out


def test_a_system_python_is_not_linked(muster: Muster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pulumi would write into it: the project gets an environment of its own."""
    monkeypatch.setattr(new.sys, "prefix", str(tmp_path))
    ran = muster("new", "made")
    assert "`pulumi install` creates its .venv, from requirements.txt" in ran.out
    assert not (muster.folder / "made" / ".venv").is_symlink()
