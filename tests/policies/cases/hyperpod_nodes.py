"""What holds for node groups, on HyperPod's instance groups: addresses, zones, plugins, taints, room for pods."""

from collections.abc import Mapping
from typing import Any

from muster.blueprint.logical_names import EFA_GROUP_REF
from muster.fleet.resources import Fleet
from tests.factories import DROP, LUSTRE_GROUP_REF, A, B, a_file_system, a_lustre_group, facts
from tests.hyperpod_factories import a_hyperpod_fleet as described_fleet
from tests.hyperpods import a_hyperpod, a_hyperpod_fleet, an_instance_group
from tests.policies.case import case
from tests.policies.pods import PODS, a_pod, asking

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


@case()
def three_of_the_system_and_four_p5() -> Fleet:
    return described()


# addresses: 81 for each p5, of 4000; and 6 for the control plane


@case()
def as_many_as_the_subnet_holds() -> Fleet:
    return described({"groups.workers.nodes": 48})


@case("subnet-holds-nodes @ groups.workers.nodes")
def more_than_the_subnet_holds() -> Fleet:
    return described({"groups.workers.nodes": 50})


# zones


@case("efa-single-zone @ groups.workers.zone")
def p5_in_two_zones() -> Fleet:
    return described({"groups.workers.zone": DROP})


@case()
def inference_in_two_zones() -> Fleet:
    return described({"groups.open": {**OPEN, "zone": "us-west-2a"}, "groups.open.zone": DROP})


@case("instance-offered-in-zone @ groups.workers.zone")
def trn1_where_nobody_saw_it() -> Fleet:
    plugins = {"addons.nvidia-device-plugin": DROP, "addons.neuron-device-plugin": {}}
    return described({"groups.workers.instance": "trn2.48xlarge", "groups.workers.zone": "us-west-2b", **plugins})


@case("lustre-in-training-zone @ storage.scratch.lustre.zone")
def a_file_system_in_another_zone() -> Fleet:
    return described({"storage": {"scratch": {"lustre": {"zone": "us-west-2b", "size": "4800GiB", "throughput": 250}}}})


@case()
def a_file_system_beside_the_nodes() -> Fleet:
    return described({"storage": {"scratch": {"lustre": {"zone": "us-west-2a", "size": "4800GiB", "throughput": 250}}}})


# security groups


@case("node-template-reaches-control-plane @ groups.workers")
def nodes_without_the_clusters_security_group() -> Fleet:
    """The one of EFA alone, which the cluster's does not know."""
    return a_hyperpod_fleet(an_instance_group(security_groups=(EFA_GROUP_REF,)))


# plugins


@case()
def the_charts_own_plugins() -> Fleet:
    return described({"addons.nvidia-device-plugin": DROP, "addons.efa-device-plugin": DROP})


@case(
    "group-has-its-device-plugin @ groups.workers.instance",
    "hyperpod-chart-before-cluster @ hyperpod",
)
def no_plugin_at_all() -> Fleet:
    return described({"addons.hyperpod": DROP, "addons.nvidia-device-plugin": DROP, "addons.efa-device-plugin": DROP})


@case("addon-serves-a-group @ addons.nvidia-device-plugin")
def a_plugin_for_gpus_beside_trn1() -> Fleet:
    return described({"groups.workers.instance": "trn1.32xlarge"})


@case("plugin-tolerates-health-taint @ addons.nvidia-device-plugin.values")
def a_plugin_that_leaves_a_node_under_examination() -> Fleet:
    return described({"addons.nvidia-device-plugin": {"values": {"tolerations": GPU}}})


@case()
def a_plugin_that_stays() -> Fleet:
    return described({"addons.nvidia-device-plugin": {"values": {"tolerations": [*GPU, *HEALTH]}}})


@case("plugin-reaches-its-nodes @ addons.nvidia-device-plugin.values")
def a_plugin_for_ec2s_types() -> Fleet:
    """HyperPod's nodes say ``ml.p5.48xlarge``."""
    return described(
        {
            "addons.nvidia-device-plugin": {
                "values": {"nodeSelector": {"node.kubernetes.io/instance-type": "p5.48xlarge"}}
            }
        }
    )


@case()
def a_plugin_for_hyperpods_types() -> Fleet:
    types = {"node.kubernetes.io/instance-type": "ml.p5.48xlarge"}
    return described({"addons.nvidia-device-plugin": {"values": {"nodeSelector": types}}})


# taints

TAINTED = {"groups.workers.taints": TAINT, "groups.workers.hyperpod": DROP}
"""Workers with a taint, and so without deep health checks: those may not tolerate it."""


@case("untainted-group @ groups")
def only_tainted_groups() -> Fleet:
    return described({"groups.system": DROP, **TAINTED})


@case("untainted-group @ groups.workers.hyperpod.deep-health-checks")
def the_only_open_group_is_examined_first() -> Fleet:
    """For two hours it has the taint of node health."""
    return described({"groups.system": DROP})


@case()
def one_of_two_open_groups_is_examined_first() -> Fleet:
    return described()


# capacity


@case("spot-not-for-training @ groups.workers", unjudged=("hyperpod-quota-covers-nodes @ groups.workers",))
def p5_on_spot() -> Fleet:
    return a_hyperpod_fleet(a_hyperpod(provisioning="Continuous"), an_instance_group(spot=True))


# room


MANY = ("kueue", "volcano", "mpi-operator", "metrics-server", "cert-manager", "jobset", "kuberay-operator", "trainer")


@case("operators-fit-nodes @ groups.system")
def more_operators_than_one_node_has_addresses_for() -> Fleet:
    """14 pods on an ml.m5.2xlarge."""
    return described({"groups.system.nodes": 1, **TAINTED, **{f"addons.{each}": {} for each in MANY}})


@case()
def as_many_on_three_nodes() -> Fleet:
    return described({**TAINTED, **{f"addons.{each}": {} for each in MANY}})


@case("daemons-fit-nodes @ groups.workers.instance")
def a_daemon_for_which_a_node_has_too_few_processors() -> Fleet:
    """A p5.48xlarge has 96 on HyperPod, not 192."""
    values = {"resources": {"requests": {"cpu": "96"}}}
    return described({"addons.nvidia-device-plugin": {"values": values}})


@case()
def the_same_with_two_threads_per_core() -> Fleet:
    values = {"resources": {"requests": {"cpu": "96"}}}
    threads = {"groups.workers.hyperpod.threads-per-core": 2}
    return described({"addons.nvidia-device-plugin": {"values": values}, **threads})


# file systems


@case("lustre-ports-open @ storage.scratch.lustre")
def a_file_system_closed_to_instance_groups() -> Fleet:
    return a_hyperpod_fleet(a_file_system(), a_lustre_group(LUSTRE_GROUP_REF))


@case()
def a_file_system_open_to_instance_groups() -> Fleet:
    return a_hyperpod_fleet(a_file_system(), a_lustre_group())


# pods


def with_job(*containers: Any, kind: str = "PyTorchJob", **spec: Any) -> Fleet:
    return a_hyperpod_fleet(a_pod(*containers, kind=kind, **spec))


@case()
def a_job_of_whole_nodes() -> Fleet:
    return with_job(asking({"nvidia.com/gpu": 8, "vpc.amazonaws.com/efa": 32}))


@case(f"devices-within-instance @ {PODS}")
def a_job_with_more_interfaces_than_hyperpod_attaches() -> Fleet:
    return with_job(asking({"nvidia.com/gpu": 8, "vpc.amazonaws.com/efa": 33}))


@case(f"whole-node-asks-all-efa @ {PODS}")
def a_job_with_half_of_the_interfaces() -> Fleet:
    return with_job(asking({"nvidia.com/gpu": 8, "vpc.amazonaws.com/efa": 16}))


@case(f"part-of-node-asks-part-of-efa @ {PODS}")
def half_a_job_with_all_interfaces() -> Fleet:
    return with_job(asking({"nvidia.com/gpu": 4, "vpc.amazonaws.com/efa": 32}), kind="Pod")


@case(f"devices-asked-as-limits @ {PODS}")
def devices_as_requests_only() -> Fleet:
    return with_job(asking({}, {"nvidia.com/gpu": 4}), kind="Pod")


@case(
    f"huge-pages-whole @ {PODS}",
    f"huge-pages-beside-memory @ {PODS}",
    unjudged=(f"huge-pages-within-node @ {PODS}",),
)
def half_a_page() -> Fleet:
    return with_job({"name": "train", "image": "train", "resources": {"limits": {"hugepages-2Mi": "3Mi"}}})


@case(unjudged=(f"huge-pages-within-node @ {PODS}",))
def pages_that_a_script_sets_aside() -> Fleet:
    """Of scripts nobody reads how many."""
    return with_job(asking({"hugepages-2Mi": "2Gi"}))


@case(f"infiniband-not-from-host @ {PODS}")
def devices_of_the_host() -> Fleet:
    return with_job(asking({}), volumes=[{"name": "infiniband", "hostPath": {"path": "/dev/infiniband"}}])


@case(f"pod-fits-node @ {PODS}")
def processors_that_a_node_has_only_on_ec2() -> Fleet:
    return with_job(asking({"cpu": 96}, {"cpu": 96}))
