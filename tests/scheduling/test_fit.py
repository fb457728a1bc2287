"""Which pods may be on a node, and what keeps the others off."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.scheduling.constraints import MalformedConstraints, PodConstraints
from muster.scheduling.fit import Schedulable, may_be_on, obstacles, unmet_selection, verdict
from muster.scheduling.node import KubernetesNode
from muster.scheduling.reason_text import reason_text, requirement_texts
from muster.scheduling.taints import Taint
from muster.unknown import UNKNOWN
from tests.scheduling.strategies import (
    VALUES,
    affinity,
    nodes,
    partly_known_labels,
    pod_specs,
    taints,
)

pods = pod_specs.map(PodConstraints.of)


@given(pods, nodes, taints)
def test_a_taint_more_never_adds_a_pod(pod: PodConstraints, node: KubernetesNode, more: Taint) -> None:
    """Nor removes one that tolerates it, or if it is a preference."""
    tainted = may_be_on(pod, replace(node, taints=frozenset({*node.taints, more})))
    tolerated = not more.blocks or any(each.tolerates(more) for each in pod.tolerations)
    assert tainted is (may_be_on(pod, node) and tolerated)


@given(pods, partly_known_labels, st.lists(taints, max_size=2), st.sampled_from(["node-0", UNKNOWN]), st.data())
def test_a_verdict_holds_once_all_is_known(
    pod: PodConstraints, carried: Any, tainted: list[Taint], name: Any, data: st.DataObject
) -> None:
    """YES and NO are for whatever values the unknown labels and the name turn out to have."""
    answer = verdict(obstacles(pod, KubernetesNode(name, carried, tainted)))
    drawn = {
        key: data.draw(st.sampled_from([*VALUES, None])) if value is UNKNOWN else value
        for key, value in carried.items()
    }
    known = KubernetesNode(
        data.draw(st.sampled_from(["node-0", "node-1"])) if name is UNKNOWN else name,
        {key: value for key, value in drawn.items() if value is not None},
        tainted,
    )
    if answer is not Schedulable.MAYBE:
        assert may_be_on(pod, known) is (answer is Schedulable.YES)


@given(pods, nodes)
def test_obstacles_are_certain_where_all_is_known(pod: PodConstraints, node: KubernetesNode) -> None:
    """And in words each is a sentence; taints come last, in their order."""
    found = obstacles(pod, node)
    assert verdict(found) is (Schedulable.NO if found else Schedulable.YES)
    assert all(map(reason_text, found))
    tainted = [each for each in found if isinstance(each, Taint)]
    assert tainted == sorted(tainted)
    assert found[: len(found) - len(tainted)] == unmet_selection(pod, node)


@given(pod_specs, nodes)
def test_a_daemon_sets_pods_are_on_more_nodes(spec: dict[str, Any], node: KubernetesNode) -> None:
    """Its controller only adds tolerations."""
    assert may_be_on(PodConstraints.of(spec), node) <= may_be_on(PodConstraints.of_daemon_set(spec), node)


NODE = KubernetesNode("a", {"type": "p5", "size": "8"}, frozenset({Taint("gpu", "true", "NoSchedule")}))
ALL = [{"operator": "Exists"}]


def wants(key: str, operator: str, *values: str) -> dict[str, Any]:
    """One expression."""
    return {"key": key, "operator": operator, "values": list(values)}


def terms_of(*listed: dict[str, Any]) -> dict[str, Any]:
    """A pod that tolerates everything and requires one of these terms."""
    return {"tolerations": ALL, "affinity": affinity(list(listed))}


def one(*listed: dict[str, Any]) -> dict[str, Any]:
    """Likewise, of one term that requires all of these."""
    return terms_of({"matchExpressions": list(listed)})


NAME_B = wants("metadata.name", "In", "b")


# The sentence of renderings and `verify`; the list of rehearsals.
@pytest.mark.parametrize(
    ("pod", "sentence", "needed"),
    [
        ({"tolerations": ALL}, "", ()),
        ({}, "it does not tolerate the taint gpu=true:NoSchedule", ()),
        ({"tolerations": ALL, "nodeSelector": {"type": "p5"}}, "", ()),
        (
            {"tolerations": ALL, "nodeSelector": {"type": "p4"}},
            "its nodeSelector requires type=p4, but the node has p5",
            ("type=p4",),
        ),
        (
            {"tolerations": ALL, "nodeSelector": {"zone": "a"}},
            "its nodeSelector requires zone=a, but the node has no such label",
            ("zone=a",),
        ),
        (one(wants("type", "In", "p4")), "its affinity requires type in p4, but the node has p5", ("type=p4",)),
        (
            one(wants("type", "In", "1", "2", "3", "4", "5", "6")),
            "its affinity requires type in 1, 2, 3, 4 and 2 more, but the node has p5",
            ("type in (1, 2, 3, 4 and 2 more)",),
        ),
        (
            one(wants("type", "NotIn", "p5")),
            "its affinity requires type not in p5, but the node has p5",
            ("type not in (p5)",),
        ),
        (
            one(wants("zone", "Exists")),
            "its affinity requires zone set, but the node has no such label",
            ("the label zone",),
        ),
        (
            one(wants("type", "DoesNotExist")),
            "its affinity requires type not set, but the node has p5",
            ("no label type",),
        ),
        (one(wants("size", "Gt", "8")), "its affinity requires size above 8, but the node has 8", ("size > 8",)),
        (one(wants("type", "Lt", "9")), "its affinity requires type below 9, but the node has p5", ("type < 9",)),
        (terms_of({"matchFields": [NAME_B]}), "its affinity requires metadata.name in b", ("metadata.name=b",)),
        (
            terms_of({}),
            "its affinity requires something that no node has (an empty term)",
            ("(a term without requirements)",),
        ),
        (terms_of(), "its affinity requires something that no node has (it has no term)", ("(no term)",)),
        # The sentence is on the first term, the list on the one of which the node meets most.
        (
            terms_of(
                {"matchExpressions": [wants("zone", "Exists"), wants("rack", "Exists")]},
                {"matchExpressions": [wants("type", "In", "p5"), wants("zone", "Exists")]},
            ),
            "its affinity requires zone set, but the node has no such label",
            ("the label zone",),
        ),
        (
            {**one(wants("zone", "Exists")), "nodeSelector": {"size": "9"}},
            "its nodeSelector requires size=9, but the node has 8",
            ("size=9", "the label zone"),
        ),
    ],
)
def test_what_keeps_a_pod_off_in_words(pod: dict[str, Any], sentence: str, needed: tuple[str, ...]) -> None:
    """The first obstacle as a sentence, and all that the node would need."""
    constraints = PodConstraints.of(pod)
    assert next(map(reason_text, obstacles(constraints, NODE)), "") == sentence
    assert requirement_texts(unmet_selection(constraints, NODE)) == needed


@pytest.mark.parametrize(
    "spec",
    [
        {"affinity": "workers"},
        {"affinity": affinity([[]])},  # type: ignore[list-item]
        {"affinity": affinity([{"matchExpressions": [{"operator": "Exists"}]}])},
        {"tolerations": ["all"]},
        {"nodeSelector": ["a"]},
    ],
)
def test_a_spec_that_the_api_server_refuses(spec: dict[str, Any]) -> None:
    """It has no form that says anything."""
    with pytest.raises(MalformedConstraints, match="is not valid in Kubernetes"):
        PodConstraints.of(spec)


def test_a_daemon_sets_pod_names_its_node() -> None:
    """Its controller writes the name into `matchFields`."""
    named = terms_of({"matchExpressions": [wants("type", "Exists")]}, {"matchFields": [NAME_B]})
    assert PodConstraints.of(named).node_name == "b"
    assert PodConstraints.of(one(wants("type", "Exists"))).node_name == PodConstraints.of({}).node_name == ""
