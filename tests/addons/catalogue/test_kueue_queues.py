"""Kueue's queues follow from the groups: what there is of them is divided, and a job that fits the nodes is let in."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from muster.addons.catalogue.kueue import queues
from muster.addons.context import GroupNodes, Volume
from muster.config.description.addon_queues import KueueQueue
from muster.config.description.addons import AddonOptions, KueueOptions
from muster.config.description.node_group import Purpose
from muster.fleet.resources import Taint
from muster.fleet.resources.ref import LUSTRE
from muster.fleet.resources.storage import KINDS
from muster.kubernetes_quantity import Quantity, base_units
from tests.addons.contexts import a_context, said_of

GPU, EFA, PAGES = "nvidia.com/gpu", "vpc.amazonaws.com/efa", "hugepages-2Mi"
Json = dict[str, Any]


def a_group(name: str, instance: str, purpose: Purpose = Purpose.TRAINING, **said: Any) -> GroupNodes:
    """Nodes of a group, with the labels that Muster gives them."""
    labels = {"muster/group": name, "muster/purpose": purpose.value, **said.pop("labels", {})}
    return GroupNodes(name, instance, said.pop("offers", frozenset()), said.pop("taints", frozenset()), frozenset(),
                 purpose.value, labels, **said)  # fmt: skip


WORKERS = a_group(
    "workers",
    "p5.48xlarge",
    offers=frozenset({GPU, EFA, PAGES}),
    taints=frozenset({Taint(GPU, "true", "NoSchedule"), Taint("team", "vision", "NoExecute")}),
    most=4,
    amounts={"cpu": "191450m", "memory": "1928154Mi", GPU: 8, EFA: 32, PAGES: "10256Mi"},
)
SYSTEM = a_group("system", "c5.2xlarge", Purpose.SYSTEM, most=3, amounts={"cpu": "7910m", "memory": "14162Mi"})
PLAIN = a_group("hpc", "hpc7a.96xlarge", most=1, amounts={"cpu": "100", "memory": "1Gi"})


def made(options: KueueOptions | AddonOptions | None = None, *nodes: GroupNodes) -> dict[str, dict[str, Json]]:
    """Kind -> name -> what is made."""
    context = replace(a_context(*(nodes or (WORKERS, SYSTEM))), chosen={"kueue": options or KueueOptions()})
    found: dict[str, dict[str, Json]] = {}
    for each in queues(context):
        found.setdefault(each["kind"], {})[each["metadata"]["name"]] = each
    return found


def divided(**said: Mapping[str, Any]) -> KueueOptions:
    """Queues by name."""
    return KueueOptions(queues={name: KueueQueue(**dict(each)) for name, each in said.items()})


def quotas(queue: Json) -> dict[str, dict[str, str]]:
    """Flavor -> resource -> quota."""
    (group,) = queue["spec"]["resourceGroups"]
    return {
        flavor["name"]: {each["name"]: each["nominalQuota"] for each in flavor["resources"]}
        for flavor in group["flavors"]
    }


def number(resource: str, written: object) -> int:
    return base_units(resource, Quantity.parse(written))


def test_every_flavor_lists_the_covered_resources_in_their_order() -> None:
    """Kueue's webhook refuses anything else."""
    (group,) = made(None, WORKERS, SYSTEM, PLAIN)["ClusterQueue"]["main"]["spec"]["resourceGroups"]
    for flavor in group["flavors"]:
        assert [each["name"] for each in flavor["resources"]] == group["coveredResources"]


def test_who_asks_for_no_device_is_sent_to_nodes_without_any_first() -> None:
    """The system's before others; whatever order the groups stand in."""
    for nodes in ((WORKERS, PLAIN, SYSTEM), (SYSTEM, WORKERS, PLAIN)):
        (group,) = made(None, *nodes)["ClusterQueue"]["main"]["spec"]["resourceGroups"]
        assert [flavor["name"] for flavor in group["flavors"]] == ["system", "hpc", "workers"]


def test_a_flavor_has_eight_labels_at_most() -> None:
    """More the API server refuses; what jobs of ours select by stays."""
    many = a_group("workers", "p5.48xlarge", labels={f"a{index}": "x" for index in range(20)})
    labels = made(None, many)["ResourceFlavor"]["workers"]["spec"]["nodeLabels"]
    assert len(labels) == 8
    assert list(labels)[:3] == ["muster/group", "muster/purpose", "node.kubernetes.io/instance-type"]
    few = made(None, a_group("workers", "p5.48xlarge", labels={"team": "vision"}))
    assert few["ResourceFlavor"]["workers"]["spec"]["nodeLabels"]["team"] == "vision"


_ways = st.one_of(
    st.builds(KueueQueue, share=st.integers(1, 25)),
    st.builds(KueueQueue, nodes=st.fixed_dictionaries({"workers": st.integers(0, 2)})),
    st.builds(KueueQueue, share=st.integers(1, 25), nodes=st.fixed_dictionaries({"workers": st.integers(0, 1)})),
    st.just(KueueQueue()),
)


@given(st.dictionaries(st.sampled_from("abcd"), _ways, min_size=1), st.integers(8, 500))
def test_nothing_is_promised_twice_and_with_a_rest_little_is_left(parts: dict[str, KueueQueue], most: int) -> None:
    """Of each resource of each group; what is left where some queue has the rest is what could not be divided."""
    group = replace(WORKERS, most=most)
    found = made(KueueOptions(queues=parts), group, SYSTEM)["ClusterQueue"]
    for nodes in (group, SYSTEM):
        rest = any(queue.share is None and nodes.group not in queue.nodes for queue in parts.values())
        for resource, of_node in nodes.amounts.items():
            given_out = sum(number(resource, quotas(queue)[nodes.group][resource]) for queue in found.values())
            left = nodes.most * number(resource, of_node) - given_out
            assert left >= 0
            unit = 2**20 if resource in {"memory", PAGES} else 1
            assert not rest or left < len(parts) * unit * 2


def test_a_namespace_that_claims_have_made_is_not_made_again() -> None:
    """Kueue comes after the driver of file systems: by then it is there."""
    volume = Volume("scratch", KINDS[LUSTRE], "fs-0123456789abcdef0", "dns", "mount", "4800Gi")
    options = divided(vision={"namespace": "vision"}, speech={"namespace": "speech"})
    context = a_context(WORKERS, SYSTEM, kueue=options, fsx_csi_driver=said_of("fsx-csi-driver", namespace="vision"))
    kinds = [(each["kind"], each["metadata"]["name"]) for each in queues(replace(context, volumes=(volume,)))]
    assert [name for kind, name in kinds if kind == "Namespace"] == ["speech"]
    alone = [(each["kind"], each["metadata"]["name"]) for each in queues(context)]
    assert [name for kind, name in alone if kind == "Namespace"] == ["speech", "vision"], "no claim, no namespace of it"
