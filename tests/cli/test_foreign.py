"""`muster check` of programs of other teams: the options, exit codes, configuration."""

import json
import os
import sys
from pathlib import Path

import pytest

from muster.cli.main import main
from tests.foreign.written import RESOURCE, a_project

PROGRAM = RESOURCE + (
    "subnets = [Any('aws:ec2/subnet:Subnet', z, {'availabilityZone': 'us-west-2' + z}) for z in 'ab']\n"
    "cluster = Any('aws:eks/cluster:Cluster', 'c', {'version': '1.35', 'vpcConfig': {"
    "'subnetIds': [s.id for s in subnets], 'endpointPublicAccess': True, 'publicAccessCidrs': ['0.0.0.0/0']}})\n"
    "pulumi.StackReference('org/network/prod')\n"
)
SELECT = ("--select", "api-not-open-to-all,zone-in-region", "--as-of", "2026-11-21")


def project(folder: Path, region: str | None = "us-west-2") -> str:
    files = {"Pulumi.dev.yaml": f"config: {{'aws:region': {region}}}\n"} if region else {}
    a_project(folder, PROGRAM, files)
    return str(folder)


def test_a_program_and_a_plan_in_one_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each has its own part, in the order given; what is not modelled is counted, and `--strict` is exit 4."""
    plan = Path(__file__).parents[1] / "foreign" / "saved" / "plan.json"
    command = ["check", "--program", project(tmp_path, "us-east-1"), "--plan", str(plan), *SELECT, "--json"]
    assert main(command) == 1
    said = capsys.readouterr()
    theirs, saved = json.loads(said.out)["stacks"]
    urn = "urn:pulumi:dev::theirs::aws:eks/cluster:Cluster::c"
    found = {each["rule"]: each["where"] for each in theirs["findings"]}
    line = next(n for n, text in enumerate(PROGRAM.splitlines(), 1) if text.startswith("cluster = "))
    there = {"file": str(tmp_path / "__main__.py"), "line": line, "column": 1, "path": urn}
    assert found == {"api-not-open-to-all": there, "zone-in-region": there}
    assert [each["rule"] for each in theirs["notEvaluated"]] == ["not-modelled"]
    assert saved["findings"] == []
    assert "theirs/dev: run by " in said.err
    assert main(["check", "--plan", str(plan), "--select", "zone-in-region"]) == 0
    assert main(["check", "--plan", str(plan), "--select", "api-not-open-to-all", "--strict"]) == 4


def test_the_configuration_holds_for_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The Region of a program that names none, levels, and suppressions by URN."""
    folder, file = project(tmp_path / "theirs", region=None), tmp_path / "muster.json"
    urn = "urn:pulumi:dev::theirs::aws:eks/cluster:Cluster::c"
    entry = {"rule": "api-not-open-to-all", "at": urn, "reason": "a lab without data", "until": "2026-12-31"}
    file.write_text(json.dumps({"muster": {"region": "eu-west-1", "suppress": [entry]}}))
    assert main(["check", "--program", folder, "--config", str(file), *SELECT, "--json"]) == 1
    (stack,) = json.loads(capsys.readouterr().out)["stacks"]
    assert {each["rule"] for each in stack["findings"]} == {"zone-in-region"}
    (silenced,) = stack["suppressed"]
    assert (silenced["rule"], silenced["reason"], silenced["resource"]) == (
        "api-not-open-to-all",
        "a lab without data",
        urn,
    )
    assert main(["check", "--program", folder, *SELECT, "--json"]) == 0
    (stack,) = json.loads(capsys.readouterr().out)["stacks"]
    assert "zone-in-region" in {each["rule"] for each in stack["notEvaluated"]}, "no Region is taken for it"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--program", "{gone}"], "/gone does not exist; give the folder with Pulumi.yaml"),
        (["--plan", "{gone}"], "the file does not exist; check the path; give a saved plan"),
        (["--stack", "dev"], "error: --stack needs --program; give the folder, as in --program DIR"),
        (["--python", "x", "--plan", "y"], "error: --python needs --program; give the folder, as in --program DIR"),
        (["--timeout", "3"], "error: --timeout needs --program; give the folder, as in --program DIR"),
    ],
)
def test_wrong_words(arguments: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 2, nothing on stdout, no traceback."""
    given = [each.replace("{gone}", str(tmp_path / "gone")) for each in arguments]
    assert main(["check", *given]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert words in said.err
    assert "Traceback" not in said.err


def test_a_view_that_cannot_read_is_our_bug(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit 3 with the resource: never a pass."""

    def broken(*_: object) -> None:
        raise KeyError("version")

    monkeypatch.setitem(
        __import__("muster.policies.views.fleet", fromlist=["_VIEWS"])._VIEWS, "aws:eks/cluster:Cluster", broken
    )
    sarif = tmp_path / "r.sarif"
    assert main(["check", "--program", project(tmp_path / "theirs"), *SELECT, "-o", f"sarif={sarif}"]) == 3
    (run,) = json.loads(sarif.read_text())["runs"]
    assert run["invocations"][0]["exitCode"] == 3
    assert "aws:eks/cluster:Cluster::c could not be read: KeyError: 'version'" in capsys.readouterr().err


def not_modelled(folder: Path, program: str, capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    a_project(folder, RESOURCE + program, {"Pulumi.dev.yaml": "config: {'aws:region': us-west-2}\n"})
    command = ["check", "--program", str(folder), *SELECT]
    assert main([*command, "--strict"]) == 4
    capsys.readouterr()
    assert main([*command, "--json"]) == 0
    (stack,) = json.loads(capsys.readouterr().out)["stacks"]
    assert stack["findings"] == []
    return {each["resource"]: each["missing"] for each in stack["notEvaluated"] if each["rule"] == "not-modelled"}


def test_what_no_rule_reads_is_no_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each type."""
    program = (
        "for name in ('a', 'b'):\n    Any('aws:ec2/instance:Instance', name, {'instanceType': 'p5.48xlarge'})\n"
        "Any('aws:batch/computeEnvironment:ComputeEnvironment', 'c', {})\nAny('aws:ec2/vpc:Vpc', 'v', {})\n"
    )
    assert not_modelled(tmp_path, program, capsys) == {
        "aws:batch/computeEnvironment:ComputeEnvironment": "no rule reads this type: 1 resource is not judged",
        "aws:ec2/instance:Instance": "no rule reads this type: 2 resources are not judged",
    }


def test_a_program_that_registers_nothing_is_no_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 4 under `--strict`."""
    assert not_modelled(tmp_path, "", capsys) == {"resources": "the program has no resources to check"}


def test_what_is_said_of_the_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """That a stack has no file, and that the program printed something."""
    a_project(tmp_path, RESOURCE + "print('one')\nprint('two')\nAny('a:b:C', 'c', {})\n")
    assert main(["check", "--program", str(tmp_path), "--stack", "nope", *SELECT]) == 0
    assert capsys.readouterr().err.splitlines()[2:] == [
        f"theirs/nope: no Pulumi.nope.yaml in {tmp_path.resolve()}: it runs without a stack configuration",
        "theirs/nope: it printed 2 lines, which Muster does not show",
    ]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux shows what runs under /proc")
@pytest.mark.parametrize(("end", "code"), [("", 0), ("raise ValueError", 2), ("while True: pass", 2)])
def test_nothing_of_a_program_runs_on(tmp_path: Path, end: str, code: int) -> None:
    """Neither what it started, nor itself, whether it ends, raises or never ends."""
    mark = f"600.{os.getpid()}{code}{len(end)}"
    # One in the program's session, one in a session of its own.
    start = f"    subprocess.Popen(['sleep', '{mark}'], start_new_session=own)\n"
    program = f"import subprocess\nfor own in (False, True):\n{start}{end}\n"
    a_project(tmp_path, RESOURCE + "Any('a:b:C', 'one', {})\n" + program)
    assert main(["check", "--program", str(tmp_path), "--select", "zone-in-region", "--timeout", "10"]) == code
    running = [each.read_bytes() for each in Path("/proc").glob("[0-9]*/cmdline") if each.exists()]
    assert [each for each in running if mark.encode() in each or str(tmp_path).encode() in each] == []
