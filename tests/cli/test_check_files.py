"""`muster check` and `muster init` with files of other tools: arguments, reports, exit codes, and what is written."""

import io
import json
import re
import shutil
from pathlib import Path

import pytest
import yaml

from tests.cli.conftest import Muster
from tests.stack_files import ROOT, edited

EXAMPLE = ROOT / "examples" / "other-tools" / "eks-p5.yaml"
MANDATORY = "plugin-reaches-its-nodes"


@pytest.fixture
def file(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The example in the project's folder, by its name."""
    monkeypatch.chdir(muster.folder)
    shutil.copy(EXAMPLE, muster.folder / "eks.yaml")
    return Path("eks.yaml")


def test_a_file_is_judged_at_its_lines(muster: Muster, file: Path) -> None:
    """Each finding has the line, the column, and the resource; mandatory ones are exit 1."""
    ran = muster.judged("check", str(file), "--json")
    assert ran.code == 1
    (report,) = ran.json["stacks"]
    assert report["stack"] == "p5-training"
    mandatory = {each["rule"]: each["where"] for each in report["findings"] if each["level"] == "mandatory"}
    (where,) = mandatory.values()
    assert mandatory.keys() == {MANDATORY}
    assert where["file"] == "eks.yaml"
    lines = file.read_text().splitlines()
    assert lines[where["line"] - 1][where["column"] - 1 :].startswith("efaEnabled:")
    told = muster.judged("check", str(file)).out
    daemon_set = "eksctl's DaemonSet aws-efa-k8s-device-plugin"
    assert f"eks.yaml:{where['line']}:{where['column']} ({daemon_set}): mandatory {MANDATORY}: " in told


def test_stdin_is_read(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(EXAMPLE.read_bytes())))
    ran = muster.judged("check", "-")
    assert ran.code == 1
    assert re.search(rf"^stdin:\d+:\d+ \(.*\): mandatory {MANDATORY}: ", ran.out, re.MULTILINE)


def test_a_folder_is_searched(muster: Muster, file: Path) -> None:
    """Files of other formats are left out, and one that cannot be read is named."""
    folder = muster.folder / "infra" / "deep"
    folder.mkdir(parents=True)
    shutil.copy(file, folder / "a.yml")
    (folder / "values.yaml").write_text("a: 1\n")
    (folder / "chart.yaml").write_text("a: {{ b }}\n")
    ran = muster.judged("check", "infra", "p5-odcr", "--json")
    assert [each["stack"] for each in ran.json["stacks"]] == ["p5-odcr", "p5-training"]
    assert ran.err.startswith("infra/deep/chart.yaml:1:")
    assert ran.err.endswith("so render the template first (skipped)\n")


def test_a_folder_without_a_known_file_is_wrong_input(muster: Muster, file: Path) -> None:
    (muster.folder / "empty").mkdir()
    ran = muster("check", "empty", str(file))
    assert (ran.code, ran.out) == (2, "")
    assert "empty: no file in this folder has a known format; Muster reads: Pulumi plan, Terraform plan, " in ran.err


def test_a_folder_of_stacks_is_wrong_input(muster: Muster) -> None:
    """A stack is checked by its name."""
    ran = muster("check", "./stacks")
    assert (ran.code, ran.out) == (2, "")
    assert "`muster check --all`" in ran.err


def test_a_hook_skips_other_files(muster: Muster, file: Path) -> None:
    Path("other.yaml").write_text("a: 1\n")
    assert muster("check", "other.yaml").code == 2
    assert muster("check", "--skip-unknown", "other.yaml").code == 0
    assert muster.judged("check", "--skip-unknown", "other.yaml", str(file)).code == 1


def test_a_file_with_an_error_does_not_hide_the_others(muster: Muster, file: Path) -> None:
    """Its error is a schema error at its place: exit 2."""
    Path("bad.yaml").write_text(edited(file.read_text(), "managedNodeGroups:\n", "managedNodeGroups: 3\nnodes:\n"))
    ran = muster.judged("check", "bad.yaml", str(file), "--json")
    assert ran.code == 2
    first, second = ran.json["stacks"]
    (fault,) = first["findings"]
    assert (fault["rule"], fault["where"]["file"], fault["where"]["line"]) == ("schema", "bad.yaml", 16)
    assert MANDATORY in {each["rule"] for each in second["findings"]}


def test_code_scanning_gets_the_lines(muster: Muster, file: Path) -> None:
    ran = muster.judged("check", str(file), "-o", "sarif")
    (run,) = json.loads(ran.out)["runs"]
    places = {
        result["ruleId"]: result["locations"][0]["physicalLocation"]
        for result in run["results"]
        if result.get("kind", "fail") == "fail"
    }
    place = places[MANDATORY]
    assert place["artifactLocation"]["uri"] == "eks.yaml"
    lines = file.read_text().splitlines()
    region = place["region"]
    assert lines[region["startLine"] - 1][region["startColumn"] - 1 :].startswith("efaEnabled:")


def test_a_cluster_is_brought_over(muster: Muster, file: Path) -> None:
    """The new stack is checked. Its file and the output name each part that is left out, with its place."""
    ran = muster.judged("init", "mine", "--from-file", str(file))
    assert ran.code == 0
    assert "eks.yaml:13:1: iam is left out: " in ran.err
    assert "Written: stacks/Pulumi.mine.yaml" in ran.out
    text = muster.file("mine").read_text()
    assert "# - iam: " in text
    cluster = yaml.safe_load(text)["config"]["muster:cluster"]
    workers = cluster["groups"]["workers"]
    assert (workers["instance"], workers["zone"]) == ("p5.48xlarge", "us-west-2a")
    assert muster.judged("check", "mine").code == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("init mine --from-file eks.yaml --nodes 3", "leave out --nodes, and change the new file"),
        ("init p5-odcr --from-file eks.yaml", "already exists"),
        ("init --from-file eks.yaml", "Missing argument 'NAME'"),
        ("check --all eks.yaml p5-odcr", "stacks and --all exclude each other"),
    ],
)
def test_wrong_input_is_explained(muster: Muster, file: Path, words: str, told: str) -> None:
    assert file.exists()
    ran = muster(*words.split())
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err


@pytest.mark.parametrize("form", ["table", "github", "markdown"])
def test_a_long_name_is_shortened_where_it_is_printed(
    muster: Muster, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    """The findings stay, and each prints a place that can be read."""
    monkeypatch.chdir(muster.folder)
    template = (EXAMPLE.parent / "eks-training.template.yaml").read_text(encoding="utf-8")
    long = "c" + "::a" * 40_000
    template = template.replace("  NodeTemplate:", f"  ? {long}\n  :").replace("NodeTemplate", long)
    Path("long.yaml").write_text(template, encoding="utf-8")
    ran = muster.judged("check", "long.yaml", "--output", form)
    assert ran.code == 1
    assert "capacity-block" in ran.out
    assert len(ran.out) < 40_000
