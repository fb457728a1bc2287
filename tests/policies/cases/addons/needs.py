"""What add-ons need: a version of Kubernetes, other add-ons, nodes that they are for."""

from datetime import date
from typing import Any

from muster.fleet.resources import ControlPlane, EksAddon, Fleet
from muster.fleet.unknown import UNKNOWN
from tests.factories import a_control_plane, a_fleet, described, facts
from tests.policies.addons import OF_UNKNOWN_VERSIONS, PLUGINS, a_manifest, conflict, on_version, where, with_addons
from tests.policies.case import case
from tests.policies.cases.addons.device_plugins import ONE_PLUGIN

# addon-supports-kubernetes, addon-has-what-it-needs

SUPPORTS = "addon-supports-kubernetes"


@case(f"{SUPPORTS} @ addons.mpi-operator")
def an_operator_for_newer_versions() -> Fleet:
    return on_version("1.29", a_manifest("mpi-operator", "v0.8.2"), as_of=date(2024, 1, 1))


@conflict(f"{SUPPORTS} @ addons.volcano")
def volcano_on_a_version_that_it_does_not_name() -> Fleet:
    return described({"kubernetes": "1.36", "addons.volcano": {}})


@case()
def an_operator_of_another_version() -> Fleet:
    return on_version("1.29", a_manifest("mpi-operator", "v0.7.0"), as_of=date(2024, 1, 1))


@case(unjudged=(f"{SUPPORTS} @ addons.mpi-operator", *OF_UNKNOWN_VERSIONS))
def an_operator_on_a_version_not_yet_known() -> Fleet:
    return on_version(UNKNOWN, a_manifest("mpi-operator", "v0.8.2"))


NEEDS = "addon-has-what-it-needs"
TRAINING_OF_HYPERPOD = "hyperpod-training-operator"


@conflict(f"{NEEDS} @ addons.{TRAINING_OF_HYPERPOD}")
def an_operator_without_its_certificates() -> Fleet:
    return with_addons({**PLUGINS, TRAINING_OF_HYPERPOD: {}})


@conflict()
def an_operator_with_its_certificates() -> Fleet:
    return with_addons({**PLUGINS, TRAINING_OF_HYPERPOD: {}, "cert-manager": {}})


def joining(**known: Any) -> Fleet:
    """An add-on with a role, on a cluster that was there before."""
    plane = a_control_plane(subnets=(), existing=True, name="theirs")
    said = {"facts": facts(clusters={"theirs": {"eksAddons": {"vpc-cni": "v1.23.1-eksbuild.1", **known}}})}
    observability = a_manifest("cloudwatch-observability", "v6.6.0-eksbuild.1")
    return a_fleet(plane, observability, without=[ControlPlane, EksAddon], **(said if known else {}))


AGENT = "eks-pod-identity-agent"


@case(f"{NEEDS} @ addons.cloudwatch-observability")
def an_agent_that_an_existing_cluster_lacks() -> Fleet:
    return joining(coredns="v1.14.3-eksbuild.16")


@case()
def an_agent_that_an_existing_cluster_has() -> Fleet:
    return joining(**{AGENT: "v1.3.10-eksbuild.3"})


@case(unjudged=(f"{NEEDS} @ addons.cloudwatch-observability", "vpc-cni-supports-efa @ groups.workers"))
def an_agent_that_nobody_speaks_of() -> Fleet:
    return joining()


USE = "addon-has-a-use"
REPOSITORY = {"repository": "oci://registry.example.com/charts"}


@conflict(f"{USE} @ addons.hyperpod")
def our_hyperpod_beside_our_operators() -> Fleet:
    names = ("mpi-operator", "kueue", "hyperpod-training-operator", "cert-manager")
    return with_addons({**PLUGINS, "hyperpod": REPOSITORY, **{name: {} for name in names}})


@conflict(f"{ONE_PLUGIN} @ addons.nvidia-device-plugin.values", f"{USE} @ addons.hyperpod")
def our_hyperpod_with_an_nvidia_plugin_for_these_nodes() -> Fleet:
    own = {"devicePlugin": {"enabled": True}, "affinity": where("node.kubernetes.io/instance-type", "p5.48xlarge")}
    values = {"nvidia-device-plugin": own}
    return with_addons({**PLUGINS, "hyperpod": {**REPOSITORY, "values": values}})


# add-ons without nodes that they are for


@conflict(f"{USE} @ addons.hyperpod")
def hyperpods_chart_without_its_nodes() -> Fleet:
    return with_addons({**PLUGINS, "hyperpod": REPOSITORY})


@conflict()
def the_monitoring_agent_on_nodes_of_eks() -> Fleet:
    return with_addons({**PLUGINS, "eks-node-monitoring-agent": {}})
