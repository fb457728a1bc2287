"""Queues that cannot be what they say are refused at the key that says it, with what to write instead."""

from typing import Any

import pytest

from muster.config.description.addon_queues import KueueQueue
from muster.config.description.eks_cluster import EksCluster
from muster.config.validation import validate
from tests.factories import a_description, a_document

V, K = "addons.volcano.queues", "addons.kueue.queues"


def faults(**queues: Any) -> dict[str, tuple[str, str]]:
    """Place -> what was found, and what to do; of an add-on with these queues."""
    ((addon, said),) = queues.items()
    made, found = validate(EksCluster, a_document({f"addons.{addon}": {"queues": said}}))
    assert (made is None) == bool(found)
    assert len({finding.where for _, finding in found}) == len(found), "nothing is said twice"
    return {finding.where: (finding.got, finding.remedy) for _, finding in found}


def test_what_volcano_makes_itself_is_not_ours_to_make() -> None:
    """Nor to be a part of: `default` is of jobs that name none."""
    assert faults(volcano={"default": {}, "root": {}}) == {
        f"{V}.default": ("Volcano makes the queue 'default' itself", "take another name"),
        f"{V}.root": ("Volcano makes the queue 'root' itself", "take another name"),
    }
    assert faults(volcano={"a": {"parent": "default"}}) == {
        f"{V}.a.parent": ("'default' is the queue of jobs that name none", "write root, or one of yours")
    }
    assert faults(volcano={"a": {"parent": "root"}}) == {}


def test_a_parent_stands_beside_its_child() -> None:
    """The nearest name is offered."""
    assert faults(volcano={"vision": {}, "faces": {"parent": "visoin"}, "alone": {"parent": "x"}}) == {
        f"{V}.faces.parent": (
            "there is no queue 'visoin'; did you mean 'vision'?",
            "name one that stands beside it, or remove the key",
        ),
        f"{V}.alone.parent": ("there is no queue 'x'", "name one that stands beside it, or remove the key"),
    }


def test_no_queue_is_part_of_itself() -> None:
    """Told of each that is in the circle, and of none that only leads to it."""
    circle = {"a": {"parent": "b"}, "b": {"parent": "a"}, "c": {"parent": "a"}, "d": {}}
    assert set(faults(volcano=circle)) == {f"{V}.a.parent", f"{V}.b.parent"}
    assert faults(volcano={"d": {"parent": "d"}}) == {
        f"{V}.d.parent": ("a queue is part of itself: d in d", "let one of them stand by itself")
    }


def test_no_part_has_more_than_the_whole() -> None:
    """Amounts are compared, however they are written."""
    queues = {
        "all": {"capability": {"cpu": 2, "memory": "1Ti"}},
        "some": {"parent": "all", "capability": {"cpu": "2001m", "memory": "1024Gi", "nvidia.com/gpu": 8}},
    }
    assert faults(volcano=queues) == {
        f"{V}.some.capability.cpu": ("more cpu than the queue 'all' has, which it is a part of", "write at most 2")
    }


@pytest.mark.parametrize(
    ("said", "at", "got"),
    [
        ({"capability": {"cpu": "2x"}}, "capability.cpu", "'x' is not one of Kubernetes' units"),
        ({"capability": {"cpu": -1}}, "capability.cpu", "'-1' is less than nothing"),
        ({"capability": {"cpu": [1]}}, "capability.cpu", "[1] is not an amount"),
        ({"capability": {"c p u": 1}}, "capability.c p u", "'c p u' is not a resource"),
        ({"weight": 0}, "weight", "0 is out of range"),
        ({"parent": "A"}, "parent", "'A' is not a queue's name"),
        ({"weigth": 1}, "weigth", "unknown key 'weigth'; did you mean 'weight'?"),
    ],
)
def test_what_a_queue_of_volcanos_cannot_say(said: dict[str, Any], at: str, got: str) -> None:
    """Told once, where it stands."""
    assert {where: said[0] for where, said in faults(volcano={"test": said}).items()} == {f"{V}.test.{at}": got}


def test_shares_are_of_a_hundred_together() -> None:
    """Told at the last of them."""
    assert faults(kueue={"a": {"share": 60}, "b": {"share": 50}, "c": {}}) == {
        f"{K}.b.share": ("the shares are more than all: 60 (a) and 50 (b) of 100", "make them 100 at most")
    }
    assert faults(kueue={"a": {"share": 60}, "b": {"share": 40}}) == {}


def test_nodes_are_those_of_a_group_that_is_there() -> None:
    """And no more than it may have, beside what others are promised of it."""
    found = faults(kueue={"a": {"nodes": {"worker": 1}}, "b": {"nodes": {"workers": 2}}})
    assert found == {
        f"{K}.a.nodes.worker": (
            "there is no group 'worker'; did you mean 'workers'? (there are: system, workers)",
            "name a group of this cluster",
        ),
        f"{K}.b.nodes.workers": (
            "2 nodes of group 'workers', which has 1 at most",
            "write at most 1, or raise groups.workers.nodes",
        ),
    }
    beside = "1 nodes of group 'workers', which has 1 at most beside what the other queues have"
    for first in ({"nodes": {"workers": 1}}, {"share": 10}):
        found = faults(kueue={"a": first, "b": {"nodes": {"workers": 1}}})
        assert found == {f"{K}.b.nodes.workers": (beside, "write at most 0, or raise groups.workers.nodes")}
    assert faults(kueue={"a": {"share": 10, "nodes": {"workers": 0}}, "b": {"nodes": {"workers": 1}}}) == {}


def test_what_is_wrong_by_itself_is_told_once() -> None:
    """Queues that are none, numbers that are none, groups that are none."""
    assert set(faults(kueue={"a": [], "b": {"share": "x"}, "c": {"nodes": {"workers": "x"}}})) == {
        f"{K}.a",
        f"{K}.b.share",
        f"{K}.c.nodes.workers",
    }
    assert set(faults(kueue={})) == {K}
    document = a_document({"addons.kueue": {"queues": {"a": {"nodes": {"x": 1}}}}, "groups.workers.nodes": "x"})
    _, found = validate(EksCluster, document)
    assert {finding.where for _, finding in found} == {"groups.workers.nodes"}


def test_without_a_word_there_is_one_queue() -> None:
    """In the namespace `default`, with all of it."""
    kueue = a_description({"addons.kueue": {}}).addons.kueue
    assert kueue is not None
    assert kueue.queues == {"main": KueueQueue()}
    assert kueue.queues["main"].namespace == "default"
