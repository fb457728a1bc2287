"""Whatever is given, the answer is words: a place or a name, what was found, what to do. Never a traceback."""

import json
import os
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from muster.cli.__main__ import main
from tests.cli.conftest import Muster

COMMANDS = (("check",), ("plan",), ("job", "nccl-tests", "--stack"))


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
@pytest.mark.parametrize(
    ("content", "line", "column", "said"),
    [
        (b"", 1, 1, "this is not a stack file"),
        (b"# only a comment\n", 1, 1, "this is not a stack file"),
        (b"- a\n- b\n", 1, 1, "this is not a stack file"),
        (b"hello\n", 1, 1, "this is not a stack file"),
        (b"config: \xff\xfe\n", 1, 9, "byte 8 is not UTF-8"),
        (b"\xef\xbb\xbf# \xc3\xa9\r\nconfig:\r\n  a: \xc3\xa9\xff\r\n", 3, 7, "is not UTF-8"),
        (b"config:\n\taws:region: us-west-2\n", 2, 1, "is not valid YAML: "),
        (b"config: {a: b\n", 1, 9, "is not valid YAML: "),
        (b"config: \x00\n", 1, 9, "is not valid YAML: unacceptable character"),
        (b"# \xc3\xa9\r\nconfig:\r\n  a: \xc3\xa9\x00\r\n", 3, 7, "unacceptable character"),
        (b"config: {}\n---\nconfig: {}\n", 3, 1, "has several documents"),
        (b"config: &a\n  aws:region: *a\n", 2, 15, "has the alias 'a', which contains itself"),
        (b"? [a]\n: b\n", 1, 3, "has a key that is a list or a map"),
        (b"config:\n  aws:region: us-west-2\n", 1, 1, "'muster:cluster' is missing"),
        (b"config:\n  aws:region: us-west-2\n  muster:cluster: [1]\n", 3, 19, "a list stands where a block of keys"),
        (
            b"config:\n  aws:region: us-west-2\n  muster:cluster: {secure: x}\n",
            3,
            19,
            "the value is encrypted (secure:), and only the Pulumi engine can read it",
        ),
        (b"config:\n  aws:region: us-west-2\n  muster:clutser: {}\n", 3, 3, "unknown key 'muster:clutser'"),
        (b"config:\n  aws:region: us-west-2\n  muster-cluster: {}\n", 1, 1, "'muster-cluster' is nearly its name"),
        (b"conifg: {}\n", 1, 1, "unknown key 'conifg'; did you mean 'config'?"),
    ],
    ids=lambda value: value.decode(errors="replace")[:30] if isinstance(value, bytes) else None,
)
def test_a_file_without_the_form_exits_2_with_its_place(
    muster: Muster, command: tuple[str, ...], content: bytes, line: int, column: int, said: str
) -> None:
    muster.file("bad").write_bytes(content)
    ran = muster.judged(*command, "bad")
    told = ran.err if command[0] == "job" else ran.out
    assert ran.code == 2
    assert f"stacks/Pulumi.bad.yaml:{line}:{column}: mandatory schema: " in told
    assert said in told
    assert "bad: " in told.splitlines()[-1]
    assert "; the rules were not evaluated" in told.splitlines()[-1]
    assert "Traceback" not in ran.out + ran.err
    if command[0] == "job":
        assert not ran.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("check",), "p5-odcr"),
        (("check", "--all", "p5-odcr"), "--all"),
        (("check", "p5-ocdr"), "did you mean 'p5-odcr'?"),
        (("check", ""), "no stack ''"),
        (("check", "x" * 300), "no stack 'xxx"),
        (("check", "a\0b"), "no stack 'a\\x00b'"),
        (("check", "/elsewhere/Pulumi.p5-odcr.yaml"), "'/elsewhere/Pulumi.p5-odcr.yaml'"),
        (("check", "p5-odcr", "--as-of", "2026-13-01"), "'2026-13-01'"),
        (("check", "p5-odcr", "--as-off"), "No such option"),
        (("check", "p5-odcr", "--select", "efa"), "did you mean 'efa-fits-instance'?"),
        (("chekc", "p5-odcr"), "Did you mean 'check'?"),
        (("job",), "nccl-tests: "),
        (("job", "nccl-test"), "did you mean 'nccl-tests'?"),
        (("job", "nccl-tests"), "--stack"),
        (("job", "nccl-tests", "--stack", "p5-odcr", "--nodes", "0"), "'--nodes'"),
        (("job", "nccl-tests", "--stack", "p5-odcr", "--nodes", "2"), "'workers' (1)"),
        (("job", "nccl-tests", "--stack", "p5-odcr", "--group", "worker"), "did you mean 'workers'?"),
        (("hardware", "p5.48xlarg"), "did you mean 'p5.48xlarge'?"),
        (("hardware", "p5.48xlarge", "--all"), "--all"),
        (("hardware", "--region", "us-wset-2"), "did you mean 'us-west-2'?"),
        (("hardware", "--region", "us\x1b[2J", "--json"), "'us\\x1b[2J'"),
        (("explain",), "--all"),
        (("explain", "--all", "x"), "--all"),
        (("explain", "reservation-zone"), "did you mean 'reservation-zone-matches-subnet'?"),
        (("explain", "supression"), "did you mean 'suppression'?"),
        (("schema", "outptus"), "did you mean 'outputs'?"),
    ],
    ids=lambda value: " ".join(value)[:40].replace("\0", "NUL") if isinstance(value, tuple) else "",
)
def test_a_wrong_command_line_exits_2_with_words_on_stderr(
    muster: Muster, arguments: tuple[str, ...], said: str
) -> None:
    ran = muster.judged(*arguments) if "--stack" in arguments else muster(*arguments)
    assert ran.code == 2
    assert said.format(stacks=muster.folder / "stacks") in " ".join(ran.err.replace("│", " ").split())
    assert not ran.out
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("command", [("check",), ("plan",), ("job", "nccl-tests", "--stack")], ids=" ".join)
def test_a_file_in_stacks_is_read_from_anywhere(
    muster: Muster,
    command: tuple[str, ...],
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    muster.take("p5-efa")
    at_home = muster.judged(*command, "p5-efa")
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    ran = muster.judged(*command, str(muster.file("p5-efa")))
    assert ran.code == at_home.code == 0
    assert ran.out.replace(f"{muster.folder}/", "") == at_home.out


@pytest.mark.parametrize("name", ["Pulumi.other.yaml", "Pulumi.p5-odcr.yaml", "other.yml"])
def test_a_file_elsewhere_is_seen_and_not_read(muster: Muster, name: str) -> None:
    """Nor is our own stack of its name."""
    other = muster.folder / "examples" / name
    other.parent.mkdir()
    other.write_text(muster.file().read_text())
    ran = muster("check", f"examples/{name}")
    assert (ran.code, ran.out) == (2, "")
    assert f"examples/{name}" in ran.err
    assert "Pulumi.NAME.yaml" in ran.err


@pytest.mark.parametrize("names", [("ff", "dd", "gone", "p5-odcr"), ("--all",)], ids=" ".join)
def test_what_is_no_file_is_told_at_its_place_and_the_others_keep_their_verdicts(
    muster: Muster, names: tuple[str, ...]
) -> None:
    """A named pipe is not opened: it may have no writer."""
    os.mkfifo(muster.file("ff"))
    muster.file("dd").mkdir()
    muster.file("gone").symlink_to("nowhere.yaml")
    ran = muster.judged("check", *names, "--json")
    assert ran.code == 2
    told = {each["stack"]: each for each in ran.json["stacks"]}
    assert told["p5-odcr"]["judged"]
    for name, got in (("ff", "is a pipe"), ("dd", "is a folder"), ("gone", "there is no file")):
        (fault,) = told[name]["findings"]
        assert fault["where"]["file"] == f"stacks/Pulumi.{name}.yaml"
        assert got in fault["got"]


class _Interrupted(ModuleType):
    def __getattr__(self, name: str) -> None:
        raise KeyboardInterrupt


def test_ctrl_c_while_the_command_loads_ends_it_quietly(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "muster.cli.main", _Interrupted("muster.cli.main"))
    assert main() == 130
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("command", [("check", "p5-odcr"), ("check", "--all"), ("check",), ("plan", "p5-odcr")])
def test_outside_of_a_project(
    muster: Muster, command: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    monkeypatch.chdir(elsewhere)
    ran = muster(*command)
    assert ran.code == 2
    assert ran.err == (
        f"error: there is no Pulumi.yaml with a stacks/ folder in {elsewhere} or above; change to a project, or create "
        "one with `muster new DIRECTORY`\n"
    )


def test_what_needs_no_project_works_everywhere(
    muster: Muster, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    for command in (("hardware",), ("hardware", "p5.48xlarge"), ("explain", "--all"), ("schema",), ("--version",)):
        assert muster(*command).code == 0, command


def test_a_stack_is_found_from_a_folder_below(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(muster.folder / "stacks")
    assert muster.judged("check", "Pulumi.p5-odcr.yaml").code == 0
    assert len(re.findall(r"\d+ rules", muster.judged("check", "p5-odcr", "./Pulumi.p5-odcr.yaml").out)) == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "stands where a block of keys belongs"),
        ("[]", "a list stands where a block of keys belongs"),
        ("{", "is not JSON, or not all of it: "),
        ('{"reservation": {}}', "unknown key 'reservation'; did you mean 'reservations'?"),
        ('{"contract": 2}', "2 is not a valid value"),
        ('{"zones": {"us-west-2a": "us-west-2a"}}', "is not a zone id"),
    ],
)
def test_facts_without_the_form_exit_2_at_their_own_file(muster: Muster, content: str, said: str) -> None:
    muster.facts({})
    (muster.folder / "stacks" / "facts" / "p5-odcr.json").write_text(content)
    ran = muster.judged("check", "p5-odcr", "-v")
    assert ran.code == 2
    assert ran.out.startswith("stacks/facts/p5-odcr.json:1:")
    assert said in ran.out
    assert "`muster schema facts` prints it" in ran.out


def test_a_file_nested_beyond_reading(muster: Muster) -> None:
    muster.file("deep").write_text("config: " + "[" * 20_000)
    ran = muster.judged("check", "deep")
    assert ran.code == 2
    assert "stacks/Pulumi.deep.yaml:1:108: mandatory schema: is nested too deeply" in ran.out


def test_control_characters_of_a_file_do_not_reach_the_terminal(muster: Muster) -> None:
    muster.edit("aws:region: us-west-2", 'aws:region: "us\\e[31m\\nwest"')
    ran = muster.judged("check", "p5-odcr")
    assert ran.code == 2
    assert "'us\\x1b[31m\\nwest' is not a Region" in ran.out
    assert "\x1b" not in ran.out


def test_json_of_a_file_without_the_form(muster: Muster) -> None:
    muster.edit("kubernetes:", "kubernets:")
    ran = muster.judged("check", "p5-odcr", "--json")
    assert ran.code == 2
    (stack,) = ran.json["stacks"]
    assert stack["judged"] == {}
    line, column = muster.place("kubernets", within="kubernets:")
    (unknown,) = [each for each in stack["findings"] if each["where"]["path"] == "kubernets"]
    assert unknown == {
        "rule": "schema",
        "level": "mandatory",
        "resource": "",
        "where": {"file": "stacks/Pulumi.p5-odcr.yaml", "line": line, "column": column, "path": "kubernets"},
        "got": "unknown key 'kubernets'; did you mean 'kubernetes'?",
        "remedy": unknown["remedy"],
        "source": "the schema of a stack file (`muster schema stack` prints it)",
    }
    assert unknown["remedy"].startswith("valid keys: access, addons, addons-in, api, backend, ")
    planned = muster.judged("plan", "p5-odcr", "--json")
    assert planned.code == 2
    assert planned.json["findings"] == stack["findings"]
    assert planned.json["resources"] == []


def test_a_wrong_file_does_not_hide_the_others(muster: Muster, tmp_path: Path) -> None:
    muster.file("bad").write_text("[]")
    ran = muster.judged("check", "--all", "--json")
    assert ran.code == 2
    assert [(each["stack"], bool(each["judged"])) for each in json.loads(ran.out)["stacks"]] == [
        ("bad", False),
        ("p5-odcr", True),
    ]
    told = muster.judged("check", "--all").out.splitlines()
    assert re.fullmatch(
        r"2 stacks: clean, \d+ rules? needs? facts of your account \(`muster preflight p5-odcr --save`\), "
        r"\d+ placeholders left, 1 with schema errors",
        told[-1],
    )


def test_a_missing_stack_lists_the_stacks(muster: Muster) -> None:
    """Exit 2."""
    ran = muster("plan")
    assert (ran.code, ran.out) == (2, "")
    assert "p5-odcr" in ran.err
