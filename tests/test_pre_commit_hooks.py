"""`.pre-commit-hooks.yaml`: each hook takes its files, and pre-commit installs the locked versions."""

import re
import tomllib
from typing import Any

import pytest
import yaml

from tests.stack_files import ROOT

HOOKS: Any = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))


def test_the_hooks_run_the_command() -> None:
    """The one about facts checks every stack, because facts can affect several; pre-commit passes it no files."""
    assert [(each["id"], each["entry"], each["language"]) for each in HOOKS] == [
        ("muster-check", "muster check", "python"),
        ("muster-check-facts", "muster check --all", "python"),
        ("muster-check-files", "muster check --skip-unknown", "python"),
    ]
    assert HOOKS[0]["require_serial"] is True
    assert [each.get("pass_filenames", True) for each in HOOKS] == [True, False, True]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["scripts"]["muster"] == "muster.cli.__main__:main"


@pytest.mark.parametrize(("hook", "files"), [(HOOKS[0], "Pulumi.*.yaml"), (HOOKS[1], "facts/*.json")])
def test_each_hook_takes_its_files_and_no_others(hook: Any, files: str) -> None:
    stacks = ROOT / "stacks"
    every = [str(file.relative_to(ROOT)) for file in stacks.rglob("*") if file.is_file()]
    expected = {str(file.relative_to(ROOT)) for file in stacks.glob(files)}
    assert expected
    assert {file for file in every if re.search(hook["files"], file)} == expected


def test_pre_commit_installs_the_locked_versions() -> None:
    """pip takes no hashes for a checkout, but it takes versions."""
    assert all(hook["additional_dependencies"] == ["--constraint=constraints.txt"] for hook in HOOKS)
    bound = set((ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines())
    lock = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    assert bound == set(re.findall(r"^([a-zA-Z0-9][^\\\n]*==[^\\\n]*?) *\\?$", lock, re.MULTILINE))
    builder = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
    assert set(builder) <= bound
