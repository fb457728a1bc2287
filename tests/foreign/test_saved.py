"""What Pulumi 3.260 saved of one small program (scrubbed of times, machines and ids of its run), read and judged.

Its cluster is in another Region than its configuration says, by an explicit provider, and `offices` is a secret.
"""

import json
from datetime import date
from pathlib import Path

import pytest

from muster.cli.asked import asked
from muster.cli.exits import WrongInput
from muster.cli.foreign import NOT_MODELLED, judge_file
from muster.cli.report import StackReport
from muster.fleet.unknown import UNKNOWN
from muster.foreign.saved import Saved, read
from muster.foreign.words import CannotBeRead
from muster.wire import SECRET, SIGNATURE

FOLDER = Path(__file__).parent / "saved"
WHOLE = ("plan.json", "preview.json", "preview-with-sames.json", "state.json")
RULES = ("efa-*", "api-not-open-to-all", "zone-in-region")
"""What the files are about."""
EFA = "urn:pulumi:dev::small::aws:ec2/securityGroup:SecurityGroup::efa"
CLUSTER = "urn:pulumi:dev::small::aws:eks/cluster:Cluster::training"


def judged(file: Path) -> StackReport:
    return judge_file(file, asked(None, list(RULES), None, None, None), date(2026, 11, 21))


def one(saved: Saved, urn: str) -> object:
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
    network = one(read(FOLDER / name), CLUSTER).inputs["vpcConfig"]  # type: ignore[attr-defined]
    assert network["publicAccessCidrs"] is UNKNOWN
    assert network["endpointPublicAccess"] is True


def test_a_secret_that_was_shown(tmp_path: Path) -> None:
    """`--show-secrets`: it stands there in JSON of its own."""
    mark = {SIGNATURE: SECRET, "plaintext": '["203.0.113.0/24"]'}
    text = json.loads((FOLDER / "state.json").read_text())
    for each in text["deployment"]["resources"]:
        if each["urn"] == CLUSTER:
            each["inputs"]["vpcConfig"]["publicAccessCidrs"] = mark
    file = tmp_path / "state.json"
    file.write_text(json.dumps(text))
    assert one(read(file), CLUSTER).inputs["vpcConfig"]["publicAccessCidrs"] == ["203.0.113.0/24"]  # type: ignore[attr-defined]
    assert "api-not-open-to-all" not in {each.rule for each in judged(file).not_evaluated}


def test_a_plan_of_an_update_has_too_little() -> None:
    """What it holds only the changes of is not judged, and that is told of each; never passed."""
    report = judged(FOLDER / "plan-of-update.json")
    assert report.findings == ()
    told = {each.resource.rpartition("::")[2] for each in report.not_evaluated if each.rule == NOT_MODELLED}
    assert told == {"b", "c", "efa", "eks", "main", "training", "workers"}
    assert {each.missing for each in report.not_evaluated if each.rule == NOT_MODELLED} == {
        "a plan has only what changes of it: judge `pulumi preview --json --show-sames`"
    }


def test_a_preview_without_what_stays() -> None:
    """It says how many resources it leaves out."""
    report = judged(FOLDER / "preview-of-update.json")
    (told,) = [each.missing for each in report.not_evaluated if each.rule == NOT_MODELLED]
    assert told == "8 resources that do not change are not in it: judge `pulumi preview --json --show-sames`"


def test_what_goes_or_is_only_read_is_not_judged(tmp_path: Path) -> None:
    """A resource that waits to be deleted, one that is external, a step that deletes."""
    state = json.loads((FOLDER / "state.json").read_text())
    for each, mark in zip(state["deployment"]["resources"][-2:], ("delete", "external"), strict=True):
        each[mark] = True
    file = tmp_path / "state.json"
    file.write_text(json.dumps(state))
    gone = {each["urn"] for each in state["deployment"]["resources"][-2:]}
    assert {each.urn for each in read(file).registrations}.isdisjoint(gone)
    preview = json.loads((FOLDER / "preview.json").read_text())
    preview["steps"][3]["op"], preview["steps"][4]["op"] = "delete-replaced", "read"
    file.write_text(json.dumps(preview))
    gone = {each["urn"] for each in preview["steps"][3:5]}
    assert {each.urn for each in read(file).registrations}.isdisjoint(gone)


def test_a_preview_that_failed_says_so(tmp_path: Path) -> None:
    """Its diagnostics may be why resources are missing."""
    preview = json.loads((FOLDER / "preview.json").read_text())
    preview["diagnostics"] = [{"severity": "error", "message": "no credentials\n  at all"}]
    file = tmp_path / "preview.json"
    file.write_text(json.dumps(preview))
    (told,) = read(file).gaps
    assert told.missing == "the preview ended with an error, so more may be missing: no credentials at all"


def test_a_file_without_resources_is_no_pass(tmp_path: Path) -> None:
    """It is not evaluated."""
    file = tmp_path / "state.json"
    file.write_text('{"version": 3, "deployment": {}}')
    (told,) = judged(file).not_evaluated
    assert told.missing == "there is none in it, so there is nothing to judge"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"version": 3,\n  "deployment": {"resou', r":2:18: is not JSON, or not all of it: Unterminated string"),
        ("", r":1:1: is not JSON, or not all of it: Expecting value; save it again, as a saved plan \("),
        ("[]", r":1:1: is a list; give a saved plan \(`pulumi preview --save-plan FILE`\), a state"),
        ('{"contract": 1, "stacks": []}', r":1:1: has 'contract', 'stacks'; give a saved plan"),
        ("{}", r":1:1: has nothing in it; give"),
        ('{"sequence": 1}\n{"sequence": 2}\n', r":2:1: one JSON document a line, as events are; `muster report"),
        ('{"version": 2, "deployment": {}}', r"has not its form \(ValueError: version 2, which Pulumi of today"),
        ('{"version": 3, "deployment": {"resources": [{}]}}', r"has not its form \(KeyError: 'urn'\); give"),
        ("[" * 100_000, r":1:1: is nested too deeply to be read"),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str, words: str) -> None:
    """With the place, what was found, and what is taken."""
    file = tmp_path / "given.json"
    file.write_text(text)
    with pytest.raises(CannotBeRead, match=words):
        read(file)
    with pytest.raises(WrongInput):
        judged(file)


def test_no_file(tmp_path: Path) -> None:
    """A name nobody has, and what is no text."""
    with pytest.raises(CannotBeRead, match="cannot be read: No such file or directory; give a saved plan"):
        read(tmp_path / "gone.json")
    (tmp_path / "given.json").write_bytes(b"\xff\xfe")
    with pytest.raises(CannotBeRead, match="byte 0 is not UTF-8"):
        read(tmp_path / "given.json")
