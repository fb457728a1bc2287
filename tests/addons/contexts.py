"""Clusters, as add-ons see them."""

from dataclasses import replace
from typing import Any

from muster.addons.catalogue import CATALOGUE
from muster.addons.context import AddonContext, GroupNodes, Volume
from muster.addons.values import values_of
from muster.config.description.addons import AddonOptions, Addons, Options
from muster.contract import Cluster
from muster.fleet.resources import Taint

REQUIRED: dict[str, dict[str, Any]] = {
    "hyperpod": {"repository": "oci://registry.example.org/charts"},
    "s3-csi-driver": {"version": "v1.14.1-eksbuild.1"},
    "hyperpod-inference": {
        "tls-bucket": "hyperpod-tls-111122223333-us-west-2",
        "load-balancer-policy": "arn:aws:iam::111122223333:policy/AWSLoadBalancerControllerIAMPolicy",
    },
    "hyperpod-observability": {
        "version": "v1.0.0-eksbuild.1",
        "workspace": "arn:aws:aps:us-west-2:111122223333:workspace/ws-0123",
    },
}
"""What cannot be left unsaid of an add-on."""


def a_context(*nodes: GroupNodes, **chosen: Options) -> AddonContext:
    """A cluster of these groups; the names of add-ons are written with underscores."""
    named = {name.replace("_", "-"): options for name, options in chosen.items()}
    return AddonContext("research", "us-west-2", "1.35", tuple(each.with_drivers(named) for each in nodes), named)


def said_of(name: str, **more: Any) -> Options:
    """What a description says of an add-on; keys are written with underscores."""
    keys = {key.replace("_", "-"): value for key, value in more.items()}
    return Addons.model_validate({name: {**REQUIRED.get(name, {}), **keys}}).chosen[name]


GPU = frozenset({Taint("nvidia.com/gpu", "true", "NoSchedule")})
NODES = (
    GroupNodes("workers", "p5.48xlarge", frozenset({"nvidia.com/gpu", "vpc.amazonaws.com/efa"}), GPU),
    GroupNodes("trainium", "trn1.32xlarge", frozenset({"aws.amazon.com/neuron", "vpc.amazonaws.com/efa"}), frozenset()),
    GroupNodes(
        "system",
        "c5.2xlarge",
        frozenset(),
        frozenset({Taint("CriticalAddonsOnly", "true", "NoSchedule")}),
        purpose="system",
    ),
)


def values_over(name: str, own: dict[str, Any] | None = None, **said: Any) -> dict[str, Any]:
    """What it is given on the nodes above."""
    options = said_of(name, values=own or {}, **said) if takes_values(name) else said_of(name, **said)
    return values_of(CATALOGUE[name], a_context(*NODES, **{name: options}))


def takes_values(name: str) -> bool:
    """Whether it is a chart or an EKS add-on."""
    return isinstance(said_of(name), AddonOptions)


def assert_the_same_context(ours: AddonContext, outputs: Cluster) -> None:
    """The context of a cluster's outputs is that of its blueprint, but for what AWS decides of a file system."""
    alone = outputs.model_copy(update={"addons": {}})
    theirs = AddonContext.of_contract(alone, ours.chosen, ours.charts, ours.mirrors)
    assert [_made(each) for each in theirs.volumes] == [_made(each) for each in ours.volumes]
    assert replace(theirs, volumes=()) == replace(ours, volumes=())


def _made(volume: Volume) -> Volume:
    return replace(volume, file_system="", dns_name="", mount_name="")
