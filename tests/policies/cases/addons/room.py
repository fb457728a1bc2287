"""Daemons and operators, and the nodes that must hold them."""

from typing import Any

from muster.config.description.node_group import Purpose
from muster.config.description.node_settings import Scaler
from muster.fleet.resources import EksAddon, Fleet, Place, Ref
from muster.fleet.resources.ref import ADDON
from muster.fleet.unknown import UNKNOWN
from tests.factories import a_fleet, a_group, a_template, described
from tests.policies.addons import PLUGINS, a_manifest, conflict, with_addons
from tests.policies.case import case

# daemons-fit-nodes, operators-fit-nodes

DAEMONS, OPERATORS = "daemons-fit-nodes", "operators-fit-nodes"


@conflict(f"{DAEMONS} @ groups.workers.instance")
def a_daemon_that_takes_the_node() -> Fleet:
    asks = {"resources": {"requests": {"cpu": "192"}}}
    return with_addons({**PLUGINS, "nvidia-device-plugin": {"values": asks}})


@conflict(f"{DAEMONS} @ groups.workers.instance")
def daemons_that_take_the_memory_together() -> Fleet:
    asks = {"resources": {"requests": {"memory": "1000Gi"}}}
    return with_addons({each: {"values": asks} for each in PLUGINS})


@conflict()
def a_daemon_that_leaves_half_of_the_node() -> Fleet:
    asks = {"resources": {"requests": {"cpu": "96"}}}
    return with_addons({**PLUGINS, "nvidia-device-plugin": {"values": asks}})


@conflict(f"{OPERATORS} @ groups.system")
def an_operator_that_no_node_has_room_for() -> Fleet:
    asks = {"controllerManager": {"manager": {"resources": {"requests": {"cpu": "8"}}}}}
    return with_addons({**PLUGINS, "kueue": {"values": asks}})


@conflict(f"{OPERATORS} @ groups.system")
def an_operator_that_only_two_nodes_have_room_for() -> Fleet:
    asks = {"controllerManager": {"manager": {"resources": {"requests": {"cpu": "8"}}}}}
    return described({"addons.kueue": {"values": asks}, "groups.system.nodes": 2})


@conflict()
def all_operators() -> Fleet:
    names = ("mpi-operator", "training-operator", "jobset", "trainer", "volcano", "kuberay-operator", "etcd", "kueue")
    return with_addons({**PLUGINS, **{name: {} for name in names}})


def operating_on(group: Any, *more: Any, **template: Any) -> Fleet:
    """The MPI operator and CoreDNS on one group of c5.2xlarge."""
    machines = a_template(instance="c5.2xlarge", interfaces=(), **template)
    coredns = EksAddon(Ref(ADDON, "coredns"), "coredns", "v1.14.3-eksbuild.16", Place("kubernetes"))
    return a_fleet(machines, group, coredns, a_manifest("mpi-operator", "v0.8.2"), *more)


@case(f"{OPERATORS} @ groups.workers")
def operators_on_too_few_addresses() -> Fleet:
    """aws-node, CoreDNS twice and the MPI operator."""
    return operating_on(a_group(purpose=Purpose.SYSTEM), max_pods=3)


@case(
    unjudged=(
        f"{OPERATORS} @ ",
        *(f"{each} @ groups.workers" for each in ("nodes-in-order", "subnet-holds-nodes")),
    )
)
def operators_on_nobody_knows_how_many_nodes() -> Fleet:
    return operating_on(a_group(purpose=Purpose.SYSTEM, nodes_start=UNKNOWN), max_pods=3)


@case()
def operators_on_just_enough_addresses() -> Fleet:
    return operating_on(a_group(purpose=Purpose.SYSTEM), max_pods=4)


@case()
def operators_on_nodes_that_an_autoscaler_adds() -> Fleet:
    return operating_on(a_group(purpose=Purpose.SYSTEM, nodes_max=2, scaled_by=Scaler.AUTOSCALER), max_pods=3)
