"""The GitHub Action: its steps run as GitHub's runner runs them, with the command of this checkout."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.workflow_commands import Command, parsed
from tests.stack_files import AS_OF, ROOT, edited

ACTION: Any = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS = {step["id"]: step for step in ACTION["runs"]["steps"]}
EXPRESSION = re.compile(r"\$\{\{\s*([\w.-]+)\s*\}\}")
BROKEN = ("        nodes: 1\n", "        nodes: 2\n")


def workspace(folder: Path, *, broken: bool = False) -> Path:
    """A checkout with one stack, and the command `muster` on PATH."""
    project = folder / "project"
    (project / "stacks").mkdir(parents=True)
    (project / ".git").mkdir()
    shutil.copy(ROOT / "Pulumi.yaml", project)
    text = (ROOT / "stacks" / "Pulumi.p5-odcr.yaml").read_text(encoding="utf-8")
    (project / "stacks" / "Pulumi.p5-odcr.yaml").write_text(edited(text, *BROKEN) if broken else text, encoding="utf-8")
    command(folder / "bin", f'PYTHONPATH="{ROOT}" exec "{sys.executable}" -m muster.cli "$@"')
    return project


def command(folder: Path, script: str, name: str = "muster") -> None:
    """Writes a program."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(f"#!/usr/bin/env bash\n{script}\n", encoding="utf-8")
    (folder / name).chmod(0o755)


def outputs(text: str) -> dict[str, str]:
    """What a step wrote to $GITHUB_OUTPUT: ``name=value``, or lines between two marks."""
    lines, found = iter(text.splitlines()), {}
    for line in lines:
        name, sign, rest = re.split("(=|<<)", line, maxsplit=1)
        found[name] = rest if sign == "=" else "\n".join(iter(lines.__next__, rest))
    return found


class Job:
    """A job of GitHub Actions with this action as a step."""

    def __init__(self, folder: Path, project: Path, inputs: Mapping[str, str]) -> None:
        self.folder, self.project = folder, project
        self.inputs = {name: each["default"] for name, each in ACTION["inputs"].items()} | dict(inputs)
        assert set(self.inputs) == set(ACTION["inputs"])
        self.summary = folder / "summary.md"
        self.outputs: dict[str, dict[str, str]] = {}
        self.log = ""
        self.environment: dict[str, str] = {}
        (folder / "action").mkdir(exist_ok=True)

    def run(self) -> int:
        """Runs the steps in order until one fails."""
        for name, step in STEPS.items():
            if code := self.step(name, step):
                return code
        return 0

    def step(self, name: str, step: Mapping[str, Any]) -> int:
        """Runs one step as the runner does: its script from a file, its variables in the environment."""
        script, output = self.folder / f"{name}.sh", self.folder / f"{name}.out"
        script.write_text(step["run"], encoding="utf-8")
        output.touch()
        given = {key: self._value(value) for key, value in step.get("env", {}).items()}
        paths = f"{self.folder / 'bin'}:{Path(sys.executable).parent}:/usr/bin:/bin"
        github = {"GITHUB_OUTPUT": str(output), "GITHUB_STEP_SUMMARY": str(self.summary), "GITHUB_ACTIONS": "true"}
        github["GITHUB_PATH"] = str(self.folder / "path")
        ran = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=self.project / self._value(step.get("working-directory", ".")),
            env={"PATH": paths, "HOME": str(self.folder), **self.environment, **github, **given},
            capture_output=True,
            text=True,
            check=False,
        )
        self.log += ran.stdout + ran.stderr
        self.outputs[name] = outputs(output.read_text())
        return ran.returncode

    def _value(self, text: str) -> str:
        def of(found: "re.Match[str]") -> str:
            match found.group(1).split("."):
                case ["inputs", name]:
                    return self.inputs[name]
                case ["github", "action_path"]:
                    return str(self.folder / "action")
                case ["steps", step, "outputs", name]:
                    return self.outputs[step].get(name, "")
            raise AssertionError(found.group())

        return EXPRESSION.sub(of, text)


def job(folder: Path, *, broken: bool = False, **inputs: str) -> Job:
    """The action on the one stack, with the command of this checkout, on a fixed day."""
    given = {name.replace("_", "-"): value for name, value in inputs.items()}
    return Job(folder, workspace(folder, broken=broken), {"muster": "muster", "as-of": AS_OF, **given})


def test_the_action_uses_no_other_and_no_expression_stands_in_a_script() -> None:
    """Each step is a script, and gets inputs through its environment; every input is used."""
    assert ACTION["runs"]["using"] == "composite"
    assert [step["id"] for step in ACTION["runs"]["steps"]] == ["install", "check"]
    for step in STEPS.values():
        assert set(step) <= {"name", "id", "shell", "env", "run", "working-directory"}
        assert step["shell"] == "bash"
        assert "${{" not in step["run"]
    asked = [each for each in EXPRESSION.findall((ROOT / "action.yml").read_text()) if each.startswith("inputs.")]
    assert {each.removeprefix("inputs.") for each in asked} == set(ACTION["inputs"])
    assert all(set(each) == {"description", "default"} for each in ACTION["inputs"].values())
    assert all(isinstance(each["default"], str) for each in ACTION["inputs"].values())


@pytest.mark.parametrize("step", STEPS, ids=str)
def test_the_steps_are_sound_shell(step: str, tmp_path: Path) -> None:
    """shellcheck finds no fault."""
    script = tmp_path / "step.sh"
    script.write_text(f"#!/usr/bin/env bash\n{STEPS[step]['run']}")
    shellcheck = Path(sys.executable).parent / "shellcheck"
    ran = subprocess.run([shellcheck, script], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, "")


def test_a_finding_fails_the_job_in_every_place(tmp_path: Path) -> None:
    """With the exit code, an annotation at the line, the table in the log, the summary, the SARIF file and its path."""
    it = job(tmp_path, broken=True)
    assert it.run() == 1
    assert re.search(r"^::error file=stacks/Pulumi.p5-odcr.yaml,line=\d+,col=\d+,title=", it.log, re.MULTILINE)
    assert re.search(r"^::stop-commands::([0-9a-f]{32})\n(.*\n)+::\1::\n::error ", it.log, re.MULTILINE)
    assert "p5-odcr: 1 finding (1 mandatory, 0 advisory)" in it.log
    assert it.summary.read_text().startswith("### Muster: 1 finding (1 mandatory, 0 advisory) in `p5-odcr`\n")
    assert it.outputs["check"] == {"exit-code": "1", "sarif": "./muster.sarif"}
    (run,) = json.loads((it.project / "muster.sarif").read_text())["runs"]
    assert run["results"][0]["ruleId"] == "reservation-covers-nodes"


def test_a_sound_stack_passes(tmp_path: Path) -> None:
    """Inputs choose the reports: no SARIF and no annotations, but JUnit."""
    it = job(tmp_path, sarif="", annotations="false", format="junit=muster.xml", stacks="p5-odcr")
    assert it.run() == 0
    assert it.outputs["check"] == {"exit-code": "0"}
    assert "::notice" not in it.log
    assert (it.project / "muster.xml").read_text().startswith("<?xml")
    assert not (it.project / "muster.sarif").exists()
    assert it.summary.read_text().startswith("### Muster: no findings in `p5-odcr`\n")


def test_wrong_input_exits_2(tmp_path: Path) -> None:
    """The action publishes no report of an earlier run, and runs no text of an input."""
    it = job(tmp_path, stacks="p5-ocdr $(touch ran) `touch ran`; touch ran")
    (it.project / "muster.sarif").write_text("{}")
    assert it.run() == 2
    assert "no stack 'p5-ocdr' in " in it.log
    assert not list(tmp_path.rglob("ran"))
    assert it.outputs["check"] == {"exit-code": "2"}
    assert not it.summary.exists()


@pytest.mark.parametrize(
    ("inputs", "arguments"),
    [
        ({}, "--all table= markdown= sarif=muster.sarif github="),
        ({"stacks": "a\n  b c", "annotations": "false"}, "a b c table= markdown= sarif=muster.sarif"),
        ({"all": "true", "sarif": "", "annotations": "false"}, "--all table= markdown="),
        (
            {"config": "c d.json", "baseline": "b.json", "strict": "true", "sarif": "", "annotations": "false"},
            "--all table= markdown= --strict --config c d.json --baseline b.json",
        ),
        (
            {"files": "infra\n-a b.yaml\n\n", "sarif": "", "annotations": "false"},
            "infra ./-a b.yaml table= markdown=",
        ),
    ],
)
def test_inputs_become_the_options_of_check(tmp_path: Path, inputs: dict[str, str], arguments: str) -> None:
    """Each path is one argument, also with white space or a dash in it."""
    project = workspace(tmp_path)
    command(tmp_path / "bin", f'printf "%s\\n" "$@" > "{tmp_path}/asked"')
    it = Job(tmp_path, project, {"muster": "muster", **inputs})
    assert it.run() == 0
    asked = [each for each in (tmp_path / "asked").read_text().splitlines() if each not in ("check", "--output")]
    assert " ".join(re.sub(r"^(table|markdown|github)=.*", r"\1=", each) for each in asked) == arguments


@pytest.mark.parametrize("inputs", [{"strict": "True"}, {"annotations": ""}, {"all": "true\nfalse"}])
def test_a_switch_takes_true_and_false_only(tmp_path: Path, inputs: dict[str, str]) -> None:
    """The action refuses `strict: True`: it would not be strict."""
    project = workspace(tmp_path)
    command(tmp_path / "bin", f'touch "{tmp_path}/asked"')
    it = Job(tmp_path, project, {"muster": "muster", **inputs})
    assert it.run() == 2
    (name,) = inputs
    words = f"::error title=Muster::{name} is neither true nor false; use one of them, in lower case\n"
    assert it.log == words
    assert it.outputs["check"] == {"exit-code": "2"}
    assert not (tmp_path / "asked").exists()


def test_nothing_in_a_checkout_is_a_command_of_the_runner(tmp_path: Path) -> None:
    """Not a name in a file, a file's name, or an error. No report is written through a link out of the checkout."""
    it = job(tmp_path, files="folder\n" + HOSTILE, sarif="link/muster.sarif", format="json=link.json")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "theirs").write_text("theirs")
    (it.project / "link").symlink_to(tmp_path / "elsewhere")
    (it.project / "folder" / "##[group]\n::error::a").mkdir(parents=True)
    group = {"name": "g\x1b[2J\n::set-output name=exit-code::0", "instanceType": "p5.48xlarge"}
    cluster = {"name": "c\n::error::pwned\n##[stop-commands]x", "region": "us-west-2"}
    document = {"apiVersion": "eksctl.io/v1alpha5", "kind": "ClusterConfig", "metadata": cluster}
    (it.project / "folder" / "##[group]\n::error::a" / "x.yaml").write_text(
        json.dumps(document | {"managedNodeGroups": [group]})
    )
    assert it.run() == 2, "the link leads out of the checkout"
    (it.project / "link").unlink()
    (it.project / "link").mkdir()
    (it.project / "link.json").symlink_to(tmp_path / "elsewhere" / "theirs")
    it.inputs["files"] = "folder"
    assert it.run() in {0, 1}
    assert "pwned" in it.log
    assert [file.name for file in (tmp_path / "elsewhere").iterdir()] == ["theirs"]
    assert (tmp_path / "elsewhere" / "theirs").read_text() == "theirs"
    assert it.outputs["check"]["sarif"] == "./link/muster.sarif"
    commands = [(each.name, each.properties.get("file", "")) for each in executed(it.log)]
    assert {name for name, _ in commands} == {"warning", "notice"}
    assert {file for _, file in commands} == {"folder/##[group]\\n::error::a/x.yaml".replace("##[", r"#\x23[")}
    assert all(line.isprintable() for line in it.summary.read_text().split("\n"))


HOSTILE = "\x1b[2J ##[stop-commands]x"


def executed(log: str) -> list[Command]:
    """The commands that the runner executes: those outside of stop-commands and its token."""
    token, found = "", []
    for line in re.split(r"\r\n|\r|\n", log):
        if token:
            token = "" if line.strip() == f"::{token}::" else token
        elif line.lstrip().startswith("::stop-commands::"):
            token = line.lstrip().removeprefix("::stop-commands::")
        elif line.lstrip().startswith("::"):
            found.append(parsed(line))
        else:
            assert "##[" not in line
    assert token == ""
    return found


def test_the_action_installs_its_own_muster(tmp_path: Path) -> None:
    """If no command is named, it runs tools/setup.py of the action, and imports nothing of the workspace."""
    project = workspace(tmp_path)
    tools = tmp_path / "action" / "tools"
    tools.mkdir(parents=True)
    (tools / "setup.py").write_text("import pathlib, json; pathlib.Path(__file__).with_name('ran').touch()")
    (project / "json.py").write_text("raise SystemExit('code of the workspace runs')")
    command(tmp_path / "bin", f'exec "{sys.executable}" "$@"', name="python3")
    it = Job(tmp_path, project, {})
    it.environment["PYTHONPATH"] = f".:{project}"
    assert it.step("install", STEPS["install"]) == 0, it.log
    assert (tools / "ran").exists()
    assert (tmp_path / "path").read_text() == f"{tmp_path}/action/.venv/bin\n", "steps after it have the command"
    command(tmp_path / "action" / ".venv" / "bin", 'echo "$@" > "$GITHUB_OUTPUT.ran"', name="python")
    it.step("check", STEPS["check"])
    assert (tmp_path / "check.out.ran").read_text().startswith("-I -m muster.cli check --all ")


def test_the_page_shows_every_input() -> None:
    """docs/how-to/ci.md lists exactly the inputs of action.yml."""
    page = (ROOT / "docs" / "how-to" / "ci.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`[a-z`, -]+`) \| ", page.split("## GitHub Actions")[1].split("## GitLab")[0], re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"`([a-z-]+)`", row)} == set(ACTION["inputs"])
    for block in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL):
        assert yaml.safe_load(block)
