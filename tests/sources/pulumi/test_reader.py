"""What Pulumi 3.260 saved of one small program (scrubbed of times, machines and ids of its run), read and judged.

Its cluster is in another Region than its configuration says, by an explicit provider, and `offices` is a secret.
"""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from muster.cli.findings import StackReport
from muster.cli.rule_selection import select_rules
from muster.cli.source_files import judge_sources
from muster.finding import NOT_MODELLED
from muster.sources.recognition import open_file, recognize
from muster.sources.source import InvalidFile, Source
from muster.unknown import UNKNOWN
from muster.wire import SECRET, SIGNATURE

FOLDER = Path(__file__).parent / "saved"
WHOLE = ("plan.json", "preview.json", "preview-with-sames.json", "state.json")
RULES = ("efa-*", "api-not-open-to-all", "subnet-zone-as-declared")
"""What the files are about."""
EFA = "urn:pulumi:dev::small::aws:ec2/securityGroup:SecurityGroup::efa"
CLUSTER = "urn:pulumi:dev::small::aws:eks/cluster:Cluster::training"


def judged(file: Path) -> StackReport:
    opened = open_file(file)
    how = select_rules(select=list(RULES))
    return judge_sources([(opened, recognize(opened))], how, date(2026, 11, 21))[0]


def read(file: Path) -> Source:
    opened = open_file(file)
    return recognize(opened).read(opened)


def saved(name: str) -> Any:
    """A saved file, to be changed."""
    return json.loads((FOLDER / name).read_text())


def written(folder: Path, document: Any) -> Path:
    """The changed file."""
    file = folder / "changed.json"
    file.write_text(json.dumps(document))
    return file


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
    assert "subnet-zone-as-declared" in report.judged, (
        "in us-east-1, where its provider is, nothing is wrong with its zones"
    )


@pytest.mark.parametrize("name", WHOLE)
def test_a_secret_is_unknown(name: str) -> None:
    """Whether it stands there as ciphertext or as a word."""
    (cluster,) = (each for each in read(FOLDER / name).registrations if each.urn == CLUSTER)
    network = cluster.inputs["vpcConfig"]
    assert network["publicAccessCidrs"] is UNKNOWN
    assert network["endpointPublicAccess"] is True


def test_a_secret_that_was_shown_is_judged(tmp_path: Path) -> None:
    """`--show-secrets` writes a secret as JSON in a text."""
    mark = {SIGNATURE: SECRET, "plaintext": '["0.0.0.0/0"]'}
    state = saved("state.json")
    (cluster,) = (each for each in state["deployment"]["resources"] if each["urn"] == CLUSTER)
    cluster["inputs"]["vpcConfig"]["publicAccessCidrs"] = mark
    found = [each for each in judged(written(tmp_path, state)).findings if each.rule == "api-not-open-to-all"]
    assert [each.resource for each in found] == [CLUSTER]
    assert "0.0.0.0/0" not in f"{found[0].got} {found[0].remedy}"


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
    assert "8" in told
    assert "`pulumi preview --json --show-sames`" in told


def test_what_goes_or_is_only_read_is_not_judged(tmp_path: Path) -> None:
    """A resource that waits to be deleted, one that is external, a step that deletes."""
    state, preview = saved("state.json"), saved("preview.json")
    marked = state["deployment"]["resources"][-2:]
    marked[0]["delete"] = marked[1]["external"] = True
    stepped = preview["steps"][3:5]
    stepped[0]["op"], stepped[1]["op"] = "delete-replaced", "read"
    for document, gone in ((state, marked), (preview, stepped)):
        left = {each.urn for each in read(written(tmp_path, document)).registrations}
        assert left.isdisjoint(each["urn"] for each in gone)


def test_a_file_without_resources_is_no_pass(tmp_path: Path) -> None:
    """It is not evaluated."""
    report = judged(written(tmp_path, {"version": 3, "deployment": {}}))
    assert [each.rule for each in report.not_evaluated] == [NOT_MODELLED]
    assert report.findings == ()


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"version": 3, "deployment": {"resources": [\n  {"urn": "urn:pulumi:d::p::a:b:C::n"}]}}', "2:3"),
        ('{"version": 3, "deployment": {"resources": [{"urn": "x", "type": "t"}]}}', "1:53"),
        ('{"version": 3, "deployment": []}', "1:30"),
        ('{"resourcePlans": {"urn:pulumi:d::p::a:b:C::n": {"goal": {"type": 3}}}}', "1:67"),
        ('{"steps": [{"urn": "x"}], "changeSummary": {}}', "1:12"),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str, place: str) -> None:
    """With the place; the form that is taken is named each time."""
    file = tmp_path / "given.json"
    file.write_text(text)
    with pytest.raises(InvalidFile) as fault:
        read(file)
    assert str(fault.value).startswith(f"{file}:{place}: ")
    assert "`pulumi preview" in str(fault.value)
    assert not judged(file).readable


def test_the_line_of_the_program(tmp_path: Path) -> None:
    """The innermost of its own files, in its folder: neither a library nor a path out of it."""
    frames = ["project:///.venv/lib/a.py#1", "project:///../b.py#2", "", "project:///lib/net.ts#34,5"]
    state = saved("state.json")
    for each in state["deployment"]["resources"]:
        each["stackTrace"] = [{"sourcePosition": frame} if frame else {} for frame in frames]
        each["sourcePosition"] = frames[0]
    (found,) = judged(written(tmp_path, state)).findings
    assert (found.where.file, found.where.line, found.where.path) == ("lib/net.ts", 34, EFA)


def test_a_replacement_in_a_plan_has_too_little(tmp_path: Path) -> None:
    """Its inputs are a difference, as an update's are: only what is created is whole in a plan."""
    plan = saved("plan.json")
    plan["resourcePlans"][CLUSTER]["steps"] = ["create-replacement", "replace", "delete-replaced"]
    found = read(written(tmp_path, plan))
    assert {gap.where for gap in found.gaps} == {CLUSTER}
    assert CLUSTER not in {each.urn for each in found.registrations}
