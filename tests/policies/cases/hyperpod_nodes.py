"""What holds for node groups, on HyperPod's instance groups: addresses, zones, plugins, taints, room for pods."""

from collections.abc import Mapping
from typing import Any

from muster.blueprint.logical_names import EFA_GROUP_REF
from muster.fleet.resources import Fleet
from tests.factories import DROP, LUSTRE_GROUP_REF, A, B, a_file_system, a_lustre_group, facts
from tests.hyperpod_factories import a_hyperpod_fleet as described_fleet
from tests.hyperpods import a_hyperpod, a_hyperpod_fleet, an_instance_group
from tests.policies.case import case, cases
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

HEALTH = [{"key": "sagemaker.amazonaws.com/node-health-status", "operator": "Exists"}]
GPU = [{"key": "nvidia.com/gpu", "operator": "Exists"}]
TAINT = {"nvidia.com/gpu": "NoSchedule"}
OPEN = {"for": "inference", "instance": "g5.12xlarge", "nodes": 1, "zone": "us-west-2a"}


def described(edits: Mapping[str, Any] | None = None) -> Fleet:
    return described_fleet(edits, facts=KNOWN)


cases(
    three_of_the_system_and_four_p5=lambda: described(),
)


# addresses: 81 for each p5, of 4000; and 6 for the control plane


cases(
    as_many_as_the_subnet_holds=lambda: described({"groups.workers.nodes": 48}),
    more_than_the_subnet_holds=lambda: described({"groups.workers.nodes": 50}),
)


# zones


cases(
    p5_in_two_zones=lambda: described({"groups.workers.zone": DROP}),
    inference_in_two_zones=lambda: described({"groups.open": {**OPEN, "zone": "us-west-2a"}, "groups.open.zone": DROP}),
)


@case
def trn1_where_nobody_saw_it() -> Fleet:
    plugins = {"addons.nvidia-device-plugin": DROP, "addons.neuron-device-plugin": {}}
    return described({"groups.workers.instance": "trn2.48xlarge", "groups.workers.zone": "us-west-2b", **plugins})


cases(
    a_file_system_in_another_zone=lambda: described(
        {"storage": {"scratch": {"lustre": {"zone": "us-west-2b", "size": "4800GiB", "throughput": 250}}}}
    ),
    a_file_system_beside_the_nodes=lambda: described(
        {"storage": {"scratch": {"lustre": {"zone": "us-west-2a", "size": "4800GiB", "throughput": 250}}}}
    ),
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
    the_charts_own_plugins=lambda: described({"addons.nvidia-device-plugin": DROP, "addons.efa-device-plugin": DROP}),
    no_plugin_at_all=lambda: described(
        {"addons.hyperpod": DROP, "addons.nvidia-device-plugin": DROP, "addons.efa-device-plugin": DROP}
    ),
    a_plugin_for_gpus_beside_trn1=lambda: described({"groups.workers.instance": "trn1.32xlarge"}),
    a_plugin_that_leaves_a_node_under_examination=lambda: described(
        {"addons.nvidia-device-plugin": {"values": {"tolerations": GPU}}}
    ),
    a_plugin_that_stays=lambda: described(
        {"addons.nvidia-device-plugin": {"values": {"tolerations": [*GPU, *HEALTH]}}}
    ),
    # HyperPod's nodes say ``ml.p5.48xlarge``.
    a_plugin_for_ec2s_types=lambda: described(
        {
            "addons.nvidia-device-plugin": {
                "values": {"nodeSelector": {"node.kubernetes.io/instance-type": "p5.48xlarge"}}
            }
        }
    ),
)


@case
def a_plugin_for_hyperpods_types() -> Fleet:
    types = {"node.kubernetes.io/instance-type": "ml.p5.48xlarge"}
    return described({"addons.nvidia-device-plugin": {"values": {"nodeSelector": types}}})


# taints

TAINTED = {"groups.workers.taints": TAINT, "groups.workers.hyperpod": DROP}
"""Workers with a taint, and so without deep health checks: those may not tolerate it."""


cases(
    only_tainted_groups=lambda: described({"groups.system": DROP, **TAINTED}),
    # For two hours it has the taint of node health.
    the_only_open_group_is_examined_first=lambda: described({"groups.system": DROP}),
    one_of_two_open_groups_is_examined_first=lambda: described(),
)


# capacity


cases(
    p5_on_spot=lambda: a_hyperpod_fleet(a_hyperpod(provisioning="Continuous"), an_instance_group(spot=True)),
)


# room


MANY = ("kueue", "volcano", "mpi-operator", "metrics-server", "cert-manager", "jobset", "kuberay-operator", "trainer")


cases(
    # 14 pods on an ml.m5.2xlarge.
    more_operators_than_one_node_has_addresses_for=lambda: described(
        {"groups.system.nodes": 1, **TAINTED, **{f"addons.{each}": {} for each in MANY}}
    ),
    as_many_on_three_nodes=lambda: described({**TAINTED, **{f"addons.{each}": {} for each in MANY}}),
    # A p5.48xlarge has 96 on HyperPod, not 192.
    a_daemon_for_which_a_node_has_too_few_processors=lambda: described(
        {"addons.nvidia-device-plugin": {"values": {"resources": {"requests": {"cpu": "96"}}}}}
    ),
)


@case
def the_same_with_two_threads_per_core() -> Fleet:
    values = {"resources": {"requests": {"cpu": "96"}}}
    threads = {"groups.workers.hyperpod.threads-per-core": 2}
    return described({"addons.nvidia-device-plugin": {"values": values}, **threads})


# file systems


cases(
    a_file_system_closed_to_instance_groups=lambda: a_hyperpod_fleet(a_file_system(), a_lustre_group(LUSTRE_GROUP_REF)),
    a_file_system_open_to_instance_groups=lambda: a_hyperpod_fleet(a_file_system(), a_lustre_group()),
)


# pods


def with_job(*containers: Any, kind: str = "PyTorchJob", **spec: Any) -> Fleet:
    return a_hyperpod_fleet(a_pod(*containers, kind=kind, **spec))


cases(
    a_job_of_whole_nodes=lambda: with_job(asking({"nvidia.com/gpu": 8, "vpc.amazonaws.com/efa": 32})),
    a_job_with_more_interfaces_than_hyperpod_attaches=lambda: with_job(
        asking({"nvidia.com/gpu": 8, "vpc.amazonaws.com/efa": 33})
    ),
    a_job_with_half_of_the_interfaces=lambda: with_job(asking({"nvidia.com/gpu": 8, "vpc.amazonaws.com/efa": 16})),
    half_a_job_with_all_interfaces=lambda: with_job(
        asking({"nvidia.com/gpu": 4, "vpc.amazonaws.com/efa": 32}), kind="Pod"
    ),
    devices_as_requests_only=lambda: with_job(asking({}, {"nvidia.com/gpu": 4}), kind="Pod"),
    half_a_page=lambda: with_job(
        {"name": "train", "image": "train", "resources": {"limits": {"hugepages-2Mi": "3Mi"}}}
    ),
    # Of scripts nobody reads how many.
    pages_that_a_script_sets_aside=lambda: with_job(asking({"hugepages-2Mi": "2Gi"})),
    devices_of_the_host=lambda: with_job(
        asking({}), volumes=[{"name": "infiniband", "hostPath": {"path": "/dev/infiniband"}}]
    ),
    processors_that_a_node_has_only_on_ec2=lambda: with_job(asking({"cpu": 96}, {"cpu": 96})),
)
