"""An imported description is valid: what no description can have is left out, and named."""

from muster.config.document import Position
from muster.sources.source import ImportedDescription, LeftOut
from muster.sources.valid_description import valid_description
from muster.versions import PARALLELCLUSTER

SOUND = {
    "backend": "parallelcluster",
    "version": PARALLELCLUSTER,
    "os": "alinux2023",
    "network": {"existing": {"vpc": "vpc-0123456789abcdef0", "private": {"us-west-2a": "subnet-0123456789abcdef0"}}},
    "head": {"login": "ssm"},
    "queues": {
        "compute": {
            "zones": ["us-west-2a"],
            "groups": {"a": {"for": "training", "instance": "c5.2xlarge", "nodes": 1, "capacity": "on-demand"}},
        }
    },
}


def imported(**changes: object) -> ImportedDescription:
    """The sound description with changes."""
    return ImportedDescription("parallelcluster", "us-west-2", {**SOUND, **changes})


def test_a_valid_description_stays() -> None:
    made, faults = valid_description(imported())
    assert (made.cluster, made.left_out, faults) == (SOUND, (), ())


def test_a_refused_value_is_left_out() -> None:
    made, faults = valid_description(imported(imagee="a", tags={"a": "b"}))
    assert "imagee" not in made.cluster
    assert faults == ()
    assert LeftOut("imagee", Position(1, 1), "unknown key 'imagee'; did you mean 'image'?") in made.left_out


def test_a_missing_value_is_a_fault() -> None:
    _, faults = valid_description(imported(queues={}))
    assert [finding.where for _, finding in faults] == ["queues"]


def test_a_required_value_that_is_refused_is_a_fault() -> None:
    made, faults = valid_description(imported(version="3.9.0"))
    assert [(finding.where, "3.9.0" in finding.got) for _, finding in faults] == [("version", True)]
    assert made.left_out == ()


def test_several_refused_items_of_a_list_leave_the_others() -> None:
    good = "sg-0123456789abcdef0"
    made, faults = valid_description(imported(head={"login": "ssm", "security-groups": ["sg-1", good, "sg-2"]}))
    assert faults == ()
    assert made.cluster["head"]["security-groups"] == [good]
    assert {each.path for each in made.left_out} == {"head.security-groups[0]", "head.security-groups[2]"}
