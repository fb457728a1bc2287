"""What Pulumi 3.260 saved of one small program (scrubbed of times, machines and ids of its run), read and judged.

Its cluster is in another Region than its configuration says, by an explicit provider, and `offices` is a secret.
"""

import json
import re
from datetime import date
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from muster.cli.commands.check_program import judge_file
from muster.cli.exits import WrongInput
from muster.cli.findings import StackReport
from muster.cli.rule_selection import select_rules
from muster.finding import NOT_MODELLED
from muster.foreign.engine_files import EngineFile, read_engine_file
from muster.foreign.project import CannotBeRead
from muster.unknown import UNKNOWN
from muster.wire import SECRET, SIGNATURE

FOLDER = Path(__file__).parent / "saved"
WHOLE = ("plan.json", "preview.json", "preview-with-sames.json", "state.json")
RULES = ("efa-*", "api-not-open-to-all", "zone-in-region")
"""What the files are about."""
EFA = "urn:pulumi:dev::small::aws:ec2/securityGroup:SecurityGroup::efa"
CLUSTER = "urn:pulumi:dev::small::aws:eks/cluster:Cluster::training"


def judged(file: Path) -> StackReport:
    return judge_file(file, select_rules(None, list(RULES), None, None, None), date(2026, 11, 21))


def one(saved: EngineFile, urn: str) -> object:
    return next(each for each in saved.registrations if each.urn == urn)


@pytest.mark.parametrize("name", WHOLE)
def test_the_same_is_found_in_every_form(name: str) -> None:
    """The place is the URN, in the judged file; what cannot be told is not evaluated, and the secret is unknown."""
    report = judged(FOLDER / name)
    assert {(each.rule, each.where.path) for each in report.findings} == {("efa-security-groups-allow-themselves", EFA)}
    (found,) = report.findings
    assert (found.where.file, found.resource, str(found.where)) == (
        str(FOLDER / name),
        EFA,
        f"{FOLDER / name}: {EFA}",
    )
    assert ("api-not-open-to-all", CLUSTER) in {(each.rule, each.resource) for each in report.not_evaluated}
    assert NOT_MODELLED not in {each.rule for each in report.not_evaluated}
    assert (report.stack, report.file) == ("dev", str(FOLDER / name))
    assert "zone-in-region" in report.judged, "in us-east-1, where its provider is, nothing is wrong with its zones"


@pytest.mark.parametrize("name", WHOLE)
def test_a_secret_is_unknown(name: str) -> None:
    """Whether it stands there as ciphertext or as a word."""
    network = one(read_engine_file(FOLDER / name), CLUSTER).inputs["vpcConfig"]  # type: ignore[attr-defined]
    assert network["publicAccessCidrs"] is UNKNOWN
    assert network["endpointPublicAccess"] is True


def test_a_secret_that_was_shown_is_judged(tmp_path: Path) -> None:
    """`--show-secrets`: it stands there in JSON of its own."""
    mark = {SIGNATURE: SECRET, "plaintext": '["0.0.0.0/0"]'}
    text = json.loads((FOLDER / "state.json").read_text())
    for each in text["deployment"]["resources"]:
        if each["urn"] == CLUSTER:
            each["inputs"]["vpcConfig"]["publicAccessCidrs"] = mark
    file = tmp_path / "state.json"
    file.write_text(json.dumps(text))
    found = [each for each in judged(file).findings if each.rule == "api-not-open-to-all"]
    assert [each.resource for each in found] == [CLUSTER]
    assert "0.0.0.0/0" not in f"{found[0].got} {found[0].remedy}"


def test_stdin_is_judged_as_a_file_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its places are in `stdin`; everything else is said in the same words."""

    def piped(data: bytes) -> Path:
        monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(data)))
        return Path("-")

    text = (FOLDER / "state.json").read_bytes()
    filed = judged(FOLDER / "state.json")
    report = judged(piped(text))
    assert {str(each.where) for each in report.findings} == {f"stdin: {EFA}"}
    assert (report.stack, report.file, report.not_evaluated) == ("dev", "stdin", filed.not_evaluated)
    for data, words in (
        (b'{"version": 3,\n', r"^stdin:1:15: .*JSON"),
        (b'{"version": 2,\n "deployment": {}}', r"^stdin:1:13: .*version is 2"),
        (b"\xff", r"^stdin: .*UTF-8"),
    ):
        with pytest.raises(CannotBeRead, match=words):
            read_engine_file(piped(data))


def test_a_plan_of_an_update_has_too_little() -> None:
    """What it holds only the changes of is not judged, and that is told of each; never passed."""
    report = judged(FOLDER / "plan-of-update.json")
    assert report.findings == ()
    told = {each.resource.rpartition("::")[2] for each in report.not_evaluated if each.rule == NOT_MODELLED}
    assert told == {"b", "c", "efa", "eks", "main", "training", "workers"}
    for each in report.not_evaluated:
        assert each.rule != NOT_MODELLED or "`pulumi preview --json --show-sames`" in each.missing


def test_a_preview_without_what_stays() -> None:
    """It says how many resources it leaves out."""
    report = judged(FOLDER / "preview-of-update.json")
    (told,) = [each.missing for each in report.not_evaluated if each.rule == NOT_MODELLED]
    assert told.startswith("the preview leaves out unchanged resources (count: 8); ")
    assert "`pulumi preview --json --show-sames`" in told


def test_what_goes_or_is_only_read_is_not_judged(tmp_path: Path) -> None:
    """A resource that waits to be deleted, one that is external, a step that deletes."""
    state = json.loads((FOLDER / "state.json").read_text())
    for each, mark in zip(state["deployment"]["resources"][-2:], ("delete", "external"), strict=True):
        each[mark] = True
    file = tmp_path / "state.json"
    file.write_text(json.dumps(state))
    gone = {each["urn"] for each in state["deployment"]["resources"][-2:]}
    assert {each.urn for each in read_engine_file(file).registrations}.isdisjoint(gone)
    preview = json.loads((FOLDER / "preview.json").read_text())
    preview["steps"][3]["op"], preview["steps"][4]["op"] = "delete-replaced", "read"
    file.write_text(json.dumps(preview))
    gone = {each["urn"] for each in preview["steps"][3:5]}
    assert {each.urn for each in read_engine_file(file).registrations}.isdisjoint(gone)


def test_a_preview_that_failed_says_so(tmp_path: Path) -> None:
    """Its diagnostics may be why resources are missing."""
    preview = json.loads((FOLDER / "preview.json").read_text())
    preview["diagnostics"] = [{"severity": "error", "message": "no credentials\n  at all"}]
    file = tmp_path / "preview.json"
    file.write_text(json.dumps(preview))
    (told,) = read_engine_file(file).gaps
    assert told.missing.endswith(": no credentials at all"), "its own words, in one line"


def test_a_file_without_resources_is_no_pass(tmp_path: Path) -> None:
    """It is not evaluated."""
    file = tmp_path / "state.json"
    file.write_text('{"version": 3, "deployment": {}}')
    report = judged(file)
    assert [each.rule for each in report.not_evaluated] == [NOT_MODELLED]
    assert report.findings == ()


@pytest.mark.parametrize(
    ("text", "place", "named"),
    [
        ('{"version": 3,\n  "deployment": {"resou', "2:18", "JSON"),
        ('{"version": 3,\n  "deployment": {"resources": [\n\n', "2:32", "JSON"),
        ("", "1:1", "JSON"),
        ("[]", "1:1", "list"),
        ('{"contract": 1, "stacks": []}', "1:1", "'stacks' is not a key"),
        ("{}", "1:1", "is empty; "),
        ('{"sequence": 1}\n{"sequence": 2}\n', "2:1", "`muster report"),
        ('{"version": 2, "deployment": {}}', "1:13", "version is 2"),
        (
            '{"version": 3, "deployment": {"resources": [\n  {"urn": "urn:pulumi:d::p::a:b:C::n"}]}}',
            "2:3",
            "deployment.resources[0] has no 'type'",
        ),
        (
            '{"version": 3, "deployment": {"resources": [{"urn": "x", "type": "t"}]}}',
            "1:53",
            "deployment.resources[0].urn",
        ),
        ('{"version": 3, "deployment": []}', "1:30", "deployment is a list"),
        (
            '{"resourcePlans": {"urn:pulumi:d::p::a:b:C::n": {"goal": {"type": 3}}}}',
            "1:67",
            "resourcePlans.urn:pulumi:d::p::a:b:C::n.goal.type is a number",
        ),
        ('{"steps": [{"urn": "x"}], "changeSummary": {}}', "1:12", "steps[0] has no 'op'"),
        (
            '{"contract": 1, "backend": "eks", "nodes": [], "stack": "s", "resources": ["x"]}',
            "1:76",
            "resources[0] is text",
        ),
        ("[" * 100_000, "1:1", "nested too deeply"),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str, place: str, named: str) -> None:
    """With the place, and with what was found there; the form that is taken is named each time."""
    file = tmp_path / "given.json"
    file.write_text(text)
    with pytest.raises(CannotBeRead) as fault:
        read_engine_file(file)
    said = str(fault.value)
    assert said.startswith(f"{file}:{place}: ")
    assert named in said
    assert "`pulumi preview" in said or "`muster report" in said
    with pytest.raises(WrongInput) as refused:
        judged(file)
    assert place in str(refused.value)


def test_no_file(tmp_path: Path) -> None:
    """A name nobody has, and what is no text."""
    (tmp_path / "other.json").write_text('{"message": 5}')
    with pytest.raises(CannotBeRead, match=r"other\.json:1:1: 'message' is not a key"):
        read_engine_file(tmp_path / "other.json")
    with pytest.raises(CannotBeRead, match=re.escape(str(tmp_path / "gone.json"))):
        read_engine_file(tmp_path / "gone.json")
    (tmp_path / "given.json").write_bytes(b"\xff\xfe")
    with pytest.raises(CannotBeRead, match=r"given\.json.*UTF-8"):
        read_engine_file(tmp_path / "given.json")


def test_a_replacement_in_a_plan_has_too_little(tmp_path: Path) -> None:
    """Its inputs are a difference, as an update's are: only what is created is whole in a plan."""
    plan = json.loads((FOLDER / "plan.json").read_text())
    plan["resourcePlans"][CLUSTER]["steps"] = ["create-replacement", "replace", "delete-replaced"]
    file = tmp_path / "plan.json"
    file.write_text(json.dumps(plan))
    found = read_engine_file(file)
    assert {gap.where for gap in found.gaps} == {CLUSTER}
    assert CLUSTER not in {each.urn for each in found.registrations}


OWN = {
    "contract": 1,
    "stack": "bad",
    "backend": "eks",
    "nodes": [],
    "resources": [
        {
            "urn": CLUSTER,
            "type": "aws:eks/cluster:Cluster",
            "name": "training",
            "id": "training",
            "inputs": {"roleArn": "arn:aws:iam:us-gov-west-1:111122223333:role/x"},
        }
    ],
}


@pytest.mark.parametrize("region", ["eu-west-1", None])
def test_a_plan_of_musters_own_says_its_region(
    tmp_path: Path, region: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    """By its own key, never by an ARN that stands in it; and that its facts are left where it is described."""
    file = tmp_path / "own.json"
    file.write_text(json.dumps({**OWN, **({"region": region} if region else {})}))
    assert (read_engine_file(file).region, read_engine_file(file).own) == (region, "bad")
    judged(file)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"{file}: ")
    assert "`muster check bad`" in line
