"""What holds for node groups, on HyperPod's instance groups: addresses, zones, plugins, taints, room for pods."""

from collections.abc import Mapping
from typing import Any

from muster.blueprint.logical_names import EFA_GROUP_REF
from muster.fleet.resources import Fleet
from tests.factories import DROP, LUSTRE_GROUP_REF, A, B, a_file_system, a_lustre_group, facts
from tests.factories.hyperpod import a_hyperpod_fleet as described_fleet
from tests.factories.hyperpod_fleets import a_hyperpod_fleet, an_instance_group
from tests.policies.case import cases
from tests.policies.pods import a_pod, asking

KNOWN = facts(
    subnets={
        A: {"freeAddresses": 4000, "mapPublicIpOnLaunch": False, "zone": "us-west-2a", "zoneId": "usw2-az1"},
        B: {"freeAddresses": 4000, "mapPublicIpOnLaunch": False, "zone": "us-west-2b", "zoneId": "usw2-az2"},
    },
    hyperpodQuotas={
        f"ml.{each} for cluster usage": 100
        for each in ("m5.2xlarge", "p5.48xlarge", "g5.12xlarge", "trn1.32xlarge", "trn2.48xlarge")
    },
)
"""All that is asked about the network and the quotas."""

TAINT = {"nvidia.com/gpu": "NoSchedule"}


def described(edits: Mapping[str, Any] | None = None) -> Fleet:
    return described_fleet(edits, facts=KNOWN)


# zones


cases(
    p5_in_two_zones=lambda: described({"groups.workers.zone": DROP}),
)


# security groups


cases(
    # The one of EFA alone, which the cluster's does not know.
    nodes_without_the_clusters_security_group=lambda: a_hyperpod_fleet(
        an_instance_group(security_groups=(EFA_GROUP_REF,))
    ),
)


# plugins


cases(
    no_plugin_at_all=lambda: described(
        {"addons.hyperpod": DROP, "addons.nvidia-device-plugin": DROP, "addons.efa-device-plugin": DROP}
    ),
    a_plugin_for_gpus_beside_trn1=lambda: described({"groups.workers.instance": "trn1.32xlarge"}),
)


# taints

TAINTED = {"groups.workers.taints": TAINT, "groups.workers.hyperpod": DROP}
"""Workers with a taint, and so without deep health checks: those may not tolerate it."""


cases(
    only_tainted_groups=lambda: described({"groups.system": DROP, **TAINTED}),
)


# file systems


cases(
    a_file_system_closed_to_instance_groups=lambda: a_hyperpod_fleet(a_file_system(), a_lustre_group(LUSTRE_GROUP_REF)),
)


# pods


def with_job(*containers: Any, kind: str = "PyTorchJob", **spec: Any) -> Fleet:
    return a_hyperpod_fleet(a_pod(*containers, kind=kind, **spec))


cases(
    a_job_with_more_interfaces_than_hyperpod_attaches=lambda: with_job(
        asking({"nvidia.com/gpu": 8, "vpc.amazonaws.com/efa": 33})
    ),
    a_job_with_half_of_the_interfaces=lambda: with_job(asking({"nvidia.com/gpu": 8, "vpc.amazonaws.com/efa": 16})),
    half_a_job_with_all_interfaces=lambda: with_job(
        asking({"nvidia.com/gpu": 4, "vpc.amazonaws.com/efa": 32}), kind="Pod"
    ),
    # Of scripts nobody reads how many.
    devices_of_the_host=lambda: with_job(
        asking({}), volumes=[{"name": "infiniband", "hostPath": {"path": "/dev/infiniband"}}]
    ),
    processors_that_a_node_has_only_on_ec2=lambda: with_job(asking({"cpu": 96}, {"cpu": 96})),
)
