"""Packages of a program, installed for one run: by pip as the person has it configured, and never unasked."""

import sysconfig
import zipfile
from pathlib import Path

import pytest

from muster.foreign.program import run_program
from muster.foreign.project import CannotBeRead
from tests.foreign.written import RESOURCE, a_project, inputs

WHEEL = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def a_wheel(folder: Path, name: str, files: dict[str, str]) -> None:
    """A package, as an index has it."""
    about = f"{name}-1.0.dist-info"
    folder.mkdir(exist_ok=True)
    with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as wheel:
        metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
        for file, text in {**files, f"{about}/METADATA": metadata, f"{about}/WHEEL": WHEEL}.items():
            wheel.writestr(file, text)
        wheel.writestr(f"{about}/RECORD", "")


@pytest.fixture
def an_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two packages and no network; pip is told by its own variables, as a person's configuration does."""
    folder = tmp_path / "index"
    a_wheel(folder, "theirs", {"theirs_only.py": "NAME = 'installed'\n"})
    a_wheel(folder, "pulumi", {"the_sdk.pth": sysconfig.get_path("purelib")})
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.delenv("PIP_CONSTRAINT", raising=False)
    return folder


PROGRAM = RESOURCE + "import theirs_only\nAny('a:b:C', 'one', {'name': theirs_only.NAME})\n"


BESIDE = {f"{name}.py": "raise SystemExit('no module of the program is of use to pip')" for name in ("pip", "optparse")}


def test_a_program_runs_with_its_packages(an_index: Path, tmp_path: Path) -> None:
    """Only where it is asked, and nothing stays in the project."""
    project = a_project(tmp_path / "one", PROGRAM, {"requirements.txt": "pulumi\ntheirs\n", **BESIDE})
    before = sorted(project.root.iterdir())
    with pytest.raises(CannotBeRead, match="has no module 'theirs_only'"):
        run_program(project, "dev")
    found = run_program(project, "dev", install=True)
    assert inputs(found, "one") == {"name": "installed"}
    assert "requirements.txt" in found.interpreter
    assert sorted(each for each in project.root.iterdir() if each.name != "__pycache__") == before


def test_what_cannot_be_installed(an_index: Path, tmp_path: Path) -> None:
    """One line, with pip's last error; without requirements.txt it is pyproject.toml that is read."""
    toml = '[project]\nname = "a"\nversion = "1"\ndependencies = ["not-there==3"]\n'
    project = a_project(tmp_path / "one", PROGRAM, {"pyproject.toml": toml})
    with pytest.raises(CannotBeRead) as failed:
        run_program(project, "dev", install=True)
    (line,) = str(failed.value).splitlines()
    assert line.startswith(f"pip could not install the packages of {project.root / 'pyproject.toml'}: ERROR: ")
    assert "not-there==3" in line
    assert line.endswith("; correct that, or install the packages yourself, and set the environment with --python")


@pytest.mark.parametrize(
    ("files", "words"),
    [
        (
            {},
            r"--install: .* contains neither requirements.txt nor pyproject.toml; install the packages yourself, ",
        ),
        ({"pyproject.toml": "[tool.poetry]\n"}, r"pyproject.toml: \[project\] has no `dependencies` list of strings; "),
        ({"pyproject.toml": "[project]\ndependencies = 5\n"}, r"has no `dependencies` list of strings; "),
        ({"pyproject.toml": "[project"}, r"pyproject.toml: is not valid TOML: .*; correct the syntax$"),
    ],
)
def test_what_names_no_packages(files: dict[str, str], words: str, tmp_path: Path) -> None:
    """Told before anything is made."""
    with pytest.raises(CannotBeRead, match=words):
        run_program(a_project(tmp_path, PROGRAM, files), "dev", install=True)


def test_what_pip_gets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own configuration and the way to its index; nothing of a cloud's, nor of Python's."""
    from muster.foreign.python_process import pip_environment

    for name in ("AWS_SECRET_ACCESS_KEY", "PULUMI_ACCESS_TOKEN", "PYTHONPATH", "PIP_INDEX_URL", "https_proxy", "HOME"):
        monkeypatch.setenv(name, "said")
    found = pip_environment()
    assert {"PIP_INDEX_URL", "https_proxy", "HOME"} <= found.keys()
    assert not {"AWS_SECRET_ACCESS_KEY", "PULUMI_ACCESS_TOKEN", "PYTHONPATH"} & found.keys()
