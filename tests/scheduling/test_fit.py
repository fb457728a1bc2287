"""Which pods may be on a node, and what keeps the others off."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.scheduling.constraints import MalformedConstraints, PodConstraints
from muster.scheduling.fit import KubernetesNode, Schedulable, may_be_on, obstacles, unmet_selection, verdict
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
    tainted = may_be_on(pod, node._replace(taints=frozenset({*node.taints, more})))
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


@pytest.mark.parametrize(
    ("pod", "needed"),
    [
        ({"tolerations": ALL, "nodeSelector": {"type": "p5"}}, ()),
        ({"tolerations": ALL, "nodeSelector": {"zone": "a"}}, ("zone=a",)),
        (one(wants("type", "In", "p4")), ("type=p4",)),
        (one(wants("type", "In", "1", "2", "3", "4", "5", "6")), ("type in (1, 2, 3, 4 and 2 more)",)),
        (one(wants("type", "NotIn", "p5")), ("type not in (p5)",)),
        (one(wants("zone", "Exists")), ("the label zone",)),
        (one(wants("type", "DoesNotExist")), ("no label type",)),
        (one(wants("size", "Gt", "8")), ("size > 8",)),
        (terms_of({"matchFields": [NAME_B]}), ("metadata.name=b",)),
        (terms_of({}), ("(a term without requirements)",)),
        (terms_of(), ("(no term)",)),
        # Of several terms, the one of which the node meets most.
        (
            terms_of(
                {"matchExpressions": [wants("zone", "Exists"), wants("rack", "Exists")]},
                {"matchExpressions": [wants("type", "In", "p5"), wants("zone", "Exists")]},
            ),
            ("the label zone",),
        ),
        ({**one(wants("zone", "Exists")), "nodeSelector": {"size": "9"}}, ("size=9", "the label zone")),
    ],
)
def test_what_a_pod_needs_of_its_node(pod: dict[str, Any], needed: tuple[str, ...]) -> None:
    assert requirement_texts(unmet_selection(PodConstraints.of(pod), NODE)) == needed


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
