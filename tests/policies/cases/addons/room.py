"""Daemons and operators, and the nodes that must hold them."""

from typing import Any

from muster.config.description.node_group import Purpose
from muster.config.description.node_settings import Scaler
from muster.fleet.resources import EksAddon, Fleet, Place, Ref
from muster.fleet.resources.ref import ADDON
from muster.unknown import UNKNOWN
from tests.factories import a_fleet, a_group, a_template, described
from tests.policies.addons import PLUGINS, a_manifest, with_addons
from tests.policies.case import case, cases

# daemons-fit-nodes, operators-fit-nodes


cases(
    a_daemon_that_takes_the_node=lambda: with_addons(
        {**PLUGINS, "nvidia-device-plugin": {"values": {"resources": {"requests": {"cpu": "192"}}}}}
    ),
)


@case
def daemons_that_take_the_memory_together() -> Fleet:
    asks = {"resources": {"requests": {"memory": "1000Gi"}}}
    return with_addons({each: {"values": asks} for each in PLUGINS})


@case
def a_daemon_that_leaves_half_of_the_node() -> Fleet:
    asks = {"resources": {"requests": {"cpu": "96"}}}
    return with_addons({**PLUGINS, "nvidia-device-plugin": {"values": asks}})


cases(
    an_operator_that_no_node_has_room_for=lambda: with_addons(
        {**PLUGINS, "kueue": {"values": {"controllerManager": {"manager": {"resources": {"requests": {"cpu": "8"}}}}}}}
    ),
)


@case
def an_operator_that_only_two_nodes_have_room_for() -> Fleet:
    asks = {"controllerManager": {"manager": {"resources": {"requests": {"cpu": "8"}}}}}
    return described({"addons.kueue": {"values": asks}, "groups.system.nodes": 2})


@case
def all_operators() -> Fleet:
    names = ("mpi-operator", "training-operator", "jobset", "trainer", "volcano", "kuberay-operator", "etcd", "kueue")
    return with_addons({**PLUGINS, **{name: {} for name in names}})


def operating_on(group: Any, *more: Any, **template: Any) -> Fleet:
    """The MPI operator and CoreDNS on one group of c5.2xlarge."""
    machines = a_template(instance="c5.2xlarge", interfaces=(), **template)
    coredns = EksAddon(Ref(ADDON, "coredns"), "coredns", "v1.14.3-eksbuild.16", Place("kubernetes"))
    return a_fleet(machines, group, coredns, a_manifest("mpi-operator", "v0.8.2"), *more)


cases(
    # aws-node, CoreDNS twice and the MPI operator.
    operators_on_too_few_addresses=lambda: operating_on(a_group(purpose=Purpose.SYSTEM), max_pods=3),
    operators_on_nobody_knows_how_many_nodes=lambda: operating_on(
        a_group(purpose=Purpose.SYSTEM, nodes_start=UNKNOWN), max_pods=3
    ),
    operators_on_just_enough_addresses=lambda: operating_on(a_group(purpose=Purpose.SYSTEM), max_pods=4),
    operators_on_nodes_that_an_autoscaler_adds=lambda: operating_on(
        a_group(purpose=Purpose.SYSTEM, nodes_max=2, scaled_by=Scaler.AUTOSCALER), max_pods=3
    ),
)
