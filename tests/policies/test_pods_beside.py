"""Beside other pods, other containers and other nodes: what is wrong of one is found, whatever comes before it."""

from base64 import b64encode
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from muster.fleet.resources import Fleet, LaunchTemplate, NodeGroup, PodOwner, PodTemplate
from muster.fleet.unknown import UNKNOWN
from policies.engine.catalogue import rule_of
from policies.engine.judgement import judge
from tests.factories import a_fleet, a_group, a_template
from tests.policies.case import Case, all_cases, got_by
from tests.policies.cases.pods import EFA, GPU, HOST, IMAGE, LIMITS, NCCL, NEURON, PAGES
from tests.policies.pods import a_pod, asking
from tests.policies.security import mount

HARMLESS: dict[str, Any] = {"name": "fine", "image": "fine:1"}


def _first(fleet: Fleet, *templates: PodTemplate) -> Fleet:
    """Every owner of pods has these templates, too, before its own."""
    things = [
        replace(each, templates=(*templates, *each.templates)) if isinstance(each, PodOwner) else each
        for each in fleet.objects
    ]
    return replace(fleet, objects=tuple(things))


def _found(fleet: Fleet) -> set[tuple[str, str, str]]:
    return {(each.rule, each.got, each.remedy) for each in judge(fleet).findings}


def _with_pods() -> list[Case]:
    return [one for one in all_cases() if one.finds and any(isinstance(each, PodOwner) for each in one.fleet().objects)]


@pytest.mark.parametrize("one", _with_pods(), ids=lambda one: one.name)
def test_pods_that_ask_for_nothing_change_nothing(one: Case) -> None:
    """In every case with pods: of an object with several kinds of pods the first hides no other."""
    fleet = one.fleet()
    before = PodTemplate("before", {"containers": [HARMLESS]}, 1)
    assert _found(_first(fleet, before)) == _found(fleet)


def _verdicts(rule: str, fleet: Fleet) -> tuple[list[str], list[str]]:
    """What was found, and what was missing."""
    judgement = judge(fleet, rules=[rule_of(rule)])
    return [each.got for each in judgement.findings], [each.missing for each in judgement.not_evaluated]


def test_a_container_after_one_whose_resources_are_not_known() -> None:
    """Each container is asked by itself."""
    unseen = {"name": "unseen", "image": "train", "resources": {"limits": UNKNOWN}}
    pod = a_pod(unseen, asking({GPU: 8}, {EFA: 32}), unseen, asking({GPU: 8}, {GPU: 4}))
    path = "spec.template.spec.containers"
    found, missing = _verdicts(LIMITS, a_fleet(pod))
    assert [each.removeprefix(path) for each in found] == [
        f"[1] requests 32 {EFA} with no limit",
        f"[3] requests 4 {GPU} with a limit of 8",
    ]
    assert missing == [f"the resources of {path}[{index}], not known before creation" for index in (0, 2)]


def test_pods_after_some_whose_volumes_are_not_known() -> None:
    """Each kind of pod is asked by itself."""
    bad = a_pod(HARMLESS, volumes=mount("/dev/infiniband"))
    unseen = PodTemplate("before", {"containers": [HARMLESS], "volumes": UNKNOWN})
    assert _verdicts(HOST, _first(a_fleet(bad), unseen)) == (
        ["spec.template.spec mounts /dev/infiniband of its node (volume host)"],
        ["the volumes of before, not known before creation"],
    )


def test_a_container_after_one_whose_image_is_not_known() -> None:
    """Likewise."""
    old = asking({GPU: 4}, image=f"{NCCL}:cuda11.8.0")
    found, missing = _verdicts(IMAGE, a_fleet(a_pod(asking({GPU: 4}, image=UNKNOWN), old, kind="Pod")))
    assert (len(found), len(missing)) == (1, 1)


def _nodes(*nodes: tuple[str, str, int | None]) -> list[Any]:
    """Groups by name, type and the huge pages that they set aside."""
    made: list[Any] = []
    for name, instance, pages in nodes:
        said = None if pages is None else b64encode(f"sysctl -w vm.nr_hugepages={pages}\n".encode()).decode()
        made += [a_template(name, instance, user_data=said), a_group(name)]
    return made


@pytest.mark.parametrize(
    ("rule", "asks", "nodes", "got"),
    [
        (
            "huge-pages-within-node",
            {PAGES: "18Mi"},
            [("few", "p5.48xlarge", 4), ("many", "p5.48xlarge", 8), ("none", "p5.48xlarge", 0)],
            "spec.template.spec asks 18Mi of hugepages-2Mi; nodes of many set 16Mi of hugepages-2Mi aside",
        ),
        (
            "devices-within-instance",
            {GPU: 9},
            [("few", "g5.12xlarge", None), ("many", "p5.48xlarge", None), ("none", "trn1.32xlarge", None)],
            f"spec.template.spec asks 9 {GPU}; a node of many (p5.48xlarge) has 8",
        ),
        (
            "devices-within-instance",
            {NEURON: 17},
            [("few", "trn1.2xlarge", None), ("many", "trn1.32xlarge", None), ("none", "p5.48xlarge", None)],
            f"spec.template.spec asks 17 {NEURON}; a node of many (trn1.32xlarge) has 16",
        ),
    ],
)
def test_of_several_kinds_of_nodes_the_one_with_most_is_named(
    rule: str, asks: dict[str, Any], nodes: list[tuple[str, str, int | None]], got: str
) -> None:
    """Whichever comes first, and whatever its name."""
    for order in permutations(nodes):
        fleet = a_fleet(a_pod(asking(asks), kind="Pod"), *_nodes(*order), without=[NodeGroup, LaunchTemplate])
        assert _verdicts(rule, fleet) == ([got], [])


@pytest.mark.parametrize("resource", ["cpu", "memory"])
def test_of_several_types_of_nodes_the_one_that_leaves_most_is_named(resource: str) -> None:
    """Likewise of what the kubelet leaves."""
    types = ("m5.8xlarge", "g5.12xlarge", "p5.48xlarge")
    for order in permutations(types):
        nodes = _nodes(*((name, name, None) for name in order))
        pod = a_pod(asking({resource: "10000" if resource == "cpu" else "10000Gi"}), kind="Pod")
        (got,) = got_by("pod-fits-node", a_fleet(pod, *nodes, without=[NodeGroup, LaunchTemplate]))
        assert got.endswith(" of a p5.48xlarge")


@pytest.mark.parametrize(
    ("instance", "asks", "left"),
    [
        ("p5.48xlarge", {GPU: 4, EFA: 32}, 16),
        ("p5.48xlarge", {GPU: 7, EFA: 32}, 28),
        ("p5.48xlarge", {GPU: 4, EFA: 31}, None),
        ("p5.48xlarge", {GPU: 8, EFA: 32}, None),
        ("p4d.24xlarge", {GPU: 2, EFA: 4}, 1),
        ("p4d.24xlarge", {GPU: 1, EFA: 4}, 1),  # none of them is no share of four
        ("p4d.24xlarge", {GPU: 1, EFA: 1}, None),
        ("g5.12xlarge", {GPU: 1, EFA: 1}, None),  # one cannot be shared
        ("trn1.32xlarge", {NEURON: 4, EFA: 8}, 2),
        ("p5.48xlarge", {GPU: 4, NEURON: 4, EFA: 32}, None),  # no node has both
        ("p5.48xlarge", {EFA: 32}, None),
    ],
)
def test_part_of_a_node_has_its_share_of_efa(instance: str, asks: dict[str, int], left: int | None) -> None:
    """As much of the interfaces as of the accelerators, and one at least."""
    pod = a_pod(asking(asks), kind="Pod", nodeSelector={"node.kubernetes.io/instance-type": instance})
    fleet = a_fleet(pod, without=[NodeGroup, LaunchTemplate])
    found = judge(fleet, rules=[rule_of("part-of-node-asks-part-of-efa")]).findings
    assert [each.remedy for each in found] == ([] if left is None else [f"write {EFA}: {left} under its limits"])
