"""HyperPod clusters, and the EKS cluster below them."""

from dataclasses import replace
from typing import Any

from muster.fleet.resources import (
    Addon,
    ControlPlane,
    EksAddon,
    Fleet,
    Place,
    Ref,
)
from muster.fleet.resources.eks import AddonKind
from muster.fleet.resources.ref import KUBERNETES_ADDON
from muster.fleet.unknown import UNKNOWN
from muster.versions import ADDONS
from policies.views.addons import RELEASE
from tests.factories import (
    a_control_plane,
    an_eks_addon,
    elsewhere,
)
from tests.hyperpods import (
    EFA_GROUP_REF,
    EXISTING,
    a_chart,
    a_hyperpod,
    a_hyperpod_fleet,
    an_instance_group,
    joined,
    on_existing,
)
from tests.policies.addons import an_addon, urn
from tests.policies.case import case

PLATFORM = "arn:aws:eks:us-west-2:111122223333:cluster/platform"

THEIRS = elsewhere(a_chart(Ref(RELEASE, "hyperpod-chart")), "hyperpod-chart")


@case()
def a_cluster_that_nothing_is_wrong_with() -> Fleet:
    return a_hyperpod_fleet()


# how the cluster is run


@case("hyperpod-node-recovery-known @ hyperpod.node-recovery")
def manual_recovery() -> Fleet:
    return a_hyperpod_fleet(a_hyperpod(node_recovery="Manual"))


@case()
def no_word_on_recovery() -> Fleet:
    return a_hyperpod_fleet(a_hyperpod(node_recovery=None))


@case(unjudged=("hyperpod-node-recovery-known @ hyperpod",))
def recovery_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(a_hyperpod(node_recovery=UNKNOWN))


@case("hyperpod-orchestrator-single @ hyperpod")
def eks_and_slurm() -> Fleet:
    return a_hyperpod_fleet(a_hyperpod(slurm=True))


@case("hyperpod-orchestrator-single @ hyperpod")
def neither_eks_nor_slurm() -> Fleet:
    return a_hyperpod_fleet(a_hyperpod(orchestrator=None))


@case()
def slurm() -> Fleet:
    """Rules about EKS have nothing to say."""
    return a_hyperpod_fleet(a_hyperpod(orchestrator=None, slurm=True))


@case("hyperpod-provisioning-known @ hyperpod.provisioning")
def provisioning_all_at_once() -> Fleet:
    return a_hyperpod_fleet(a_hyperpod(provisioning="AllAtOnce"))


@case()
def slurm_provisioned_continuously() -> Fleet:
    """AWS announced it in May 2026."""
    return a_hyperpod_fleet(a_hyperpod(orchestrator=None, slurm=True, provisioning="Continuous"))


@case(unjudged=("hyperpod-provisioning-known @ hyperpod",))
def provisioning_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(a_hyperpod(provisioning=UNKNOWN))


@case()
def karpenter_with_all_it_needs() -> Fleet:
    return a_hyperpod_fleet(a_hyperpod(autoscaler="Karpenter", provisioning="Continuous", has_cluster_role=True))


@case("hyperpod-autoscaling-complete @ hyperpod.autoscaling")
def karpenter_alone() -> Fleet:
    return a_hyperpod_fleet(a_hyperpod(autoscaler="Karpenter", node_recovery="None"))


@case(unjudged=("hyperpod-autoscaling-complete @ hyperpod",))
def autoscaling_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(a_hyperpod(autoscaler=UNKNOWN))


EFA_DRA = an_addon("aws-dranet")


@case(f"dra-driver-supported @ {EFA_DRA.place.resource}")
def efas_dra_driver_on_nodes_of_karpenter() -> Fleet:
    karpenter = a_hyperpod(autoscaler="Karpenter", provisioning="Continuous", has_cluster_role=True)
    return a_hyperpod_fleet(karpenter, EFA_DRA)


@case(unjudged=("hyperpod-autoscaling-complete @ hyperpod", f"dra-driver-supported @ {EFA_DRA.place.resource}"))
def efas_dra_driver_where_autoscaling_is_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(a_hyperpod(autoscaler=UNKNOWN), EFA_DRA)


@case()
def efas_dra_driver_without_karpenter() -> Fleet:
    return a_hyperpod_fleet(EFA_DRA)


# other CNIs

ONE_CNI = "hyperpod-one-cni"


def with_cni(chart: Any, **values: Any) -> Fleet:
    return a_hyperpod_fleet(an_addon(chart, values=values, name="cni"))


@case(f"{ONE_CNI} @ {urn('cni')}")
def cilium_in_place_of_the_vpc_cni() -> Fleet:
    return with_cni("cilium")


@case()
def cilium_beside_the_vpc_cni() -> Fleet:
    return with_cni("cilium", cni={"chainingMode": "aws-cni", "exclusive": False})


@case(f"{ONE_CNI} @ {urn('cni')}")
def calico_in_place_of_the_vpc_cni() -> Fleet:
    return with_cni("tigera-operator", installation={"cni": {"type": "Calico"}})


@case()
def calico_beside_the_vpc_cni() -> Fleet:
    return with_cni("tigera-operator", installation={"cni": {"type": "AmazonVPC"}})


@case(f"{ONE_CNI} @ {urn('cni')}")
def flannel() -> Fleet:
    return with_cni("flannel", cni=UNKNOWN)


@case(unjudged=(f"{ONE_CNI} @ {urn('cni')}",))
def cilium_of_which_the_mode_is_not_yet_known() -> Fleet:
    return with_cni("cilium", cni=UNKNOWN)


# the control plane


@case("hyperpod-authentication-mode @ ")
def an_eks_cluster_of_config_maps() -> Fleet:
    return a_hyperpod_fleet(a_control_plane(authentication="CONFIG_MAP", name="ml"))


@case("hyperpod-authentication-mode @ ")
def an_eks_cluster_of_whose_mode_nobody_speaks() -> Fleet:
    return a_hyperpod_fleet(a_control_plane(authentication=None))


@case(unjudged=("hyperpod-authentication-mode @ hyperpod",))
def an_eks_cluster_whose_mode_is_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(a_control_plane(authentication=UNKNOWN))


@case(
    unjudged=(
        "hyperpod-alone-on-eks @ hyperpod",
        "hyperpod-authentication-mode @ hyperpod",
        "hyperpod-kubernetes-version @ hyperpod",
        "node-template-reaches-control-plane @ groups.workers",
    )
)
def an_eks_cluster_that_is_not_of_the_program() -> Fleet:
    return a_hyperpod_fleet(a_hyperpod(orchestrator=PLATFORM), without=(ControlPlane,))


@case(
    unjudged=(
        "hyperpod-alone-on-eks @ hyperpod",
        "hyperpod-authentication-mode @ hyperpod",
        "hyperpod-kubernetes-version @ hyperpod",
        "node-template-reaches-control-plane @ groups.workers",
    )
)
def an_eks_cluster_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(a_hyperpod(orchestrator=UNKNOWN))


@case(
    unjudged=(
        "hyperpod-alone-on-eks @ hyperpod",
        "hyperpod-authentication-mode @ hyperpod",
        "hyperpod-kubernetes-version @ hyperpod",
        "node-template-reaches-control-plane @ groups.workers",
    )
)
def an_eks_cluster_that_nobody_registered() -> Fleet:
    return a_hyperpod_fleet(without=(ControlPlane,))


@case(
    "hyperpod-kubernetes-version @ kubernetes",
    "hyperpod-security-groups-allow-themselves @ groups.workers.security-groups",
    "kubernetes-version-supported @ kubernetes",
)
def kubernetes_1_29() -> Fleet:
    return a_hyperpod_fleet(a_control_plane("1.29", authentication="API", name="ml"))


@case(
    "hyperpod-security-groups-allow-themselves @ groups.workers.security-groups",
    "kubernetes-version-supported @ kubernetes",
)
def kubernetes_1_30() -> Fleet:
    return a_hyperpod_fleet(a_control_plane("1.30", authentication="API", name="ml"))


@case(
    "eks-addons-pinned @ kubernetes",
    "hyperpod-security-groups-allow-themselves @ groups.workers.security-groups",
)
def kubernetes_1_31() -> Fleet:
    return a_hyperpod_fleet(a_control_plane("1.31", authentication="API", name="ml"))


@case("hyperpod-kubernetes-version @ kubernetes")
def kubernetes_1_36() -> Fleet:
    return a_hyperpod_fleet(a_control_plane("1.36", authentication="API", name="ml"))


@case(unjudged=("hyperpod-kubernetes-version @ hyperpod",))
def kubernetes_that_eks_chooses() -> Fleet:
    return a_hyperpod_fleet(a_control_plane(None, authentication="API", name="ml"))


@case("hyperpod-alone-on-eks @ ", "hyperpod-alone-on-eks @ hyperpod")
def a_second_hyperpod_cluster() -> Fleet:
    return a_hyperpod_fleet(a_hyperpod("second", name="second", place=Place("")))


@case()
def a_second_hyperpod_cluster_on_another_eks_cluster() -> Fleet:
    return a_hyperpod_fleet(a_hyperpod("second", name="second", orchestrator=None, slurm=True, place=Place("")))


@case()
def on_an_eks_cluster_that_exists() -> Fleet:
    return on_existing()


@case("hyperpod-alone-on-eks @ hyperpod")
def on_one_that_has_a_hyperpod_cluster() -> Fleet:
    return on_existing(known=joined(hyperpodClusters=["theirs"]))


@case()
def on_one_that_has_this_one() -> Fleet:
    return on_existing(known=joined(hyperpodClusters=["ml-cluster"]))


@case(
    unjudged=(
        "hyperpod-alone-on-eks @ hyperpod",
        "hyperpod-chart-before-cluster @ hyperpod",
        "hyperpod-vpc-cni @ groups.workers",
    )
)
def on_one_of_which_nobody_said_so() -> Fleet:
    return on_existing(known=joined(hyperpodClusters=None, hyperpodChart=None, eksAddons=None))


@case("hyperpod-vpc-cni @ control-plane.existing.name")
def on_one_with_an_old_cni() -> Fleet:
    return on_existing(known=joined(eksAddons={"vpc-cni": "v1.18.0-eksbuild.1"}))


@case("hyperpod-chart-before-cluster @ hyperpod")
def on_one_without_the_chart() -> Fleet:
    return on_existing(known=joined(hyperpodChart=False))


@case()
def on_one_without_the_chart_that_this_stack_brings() -> Fleet:
    return on_existing(a_chart(), known=joined(hyperpodChart=False))


@case("hyperpod-authentication-mode @ control-plane.existing.authentication")
def on_one_of_config_maps() -> Fleet:
    return on_existing(replace(EXISTING, authentication="CONFIG_MAP"))


# the CNI


@case("hyperpod-vpc-cni @ kubernetes")
def a_cni_from_before_hyperpod() -> Fleet:
    return a_hyperpod_fleet(an_eks_addon(version="v1.18.2-eksbuild.1"))


@case()
def the_first_cni_for_hyperpod() -> Fleet:
    return a_hyperpod_fleet(an_eks_addon(version="v1.18.3-eksbuild.1"))


@case("hyperpod-vpc-cni @ kubernetes")
def a_cni_too_old_for_efa_only() -> Fleet:
    return a_hyperpod_fleet(an_eks_addon(version="v1.18.3-eksbuild.1"), an_instance_group(interface="efa-only"))


@case(unjudged=("hyperpod-interface-fits @ groups.workers", "hyperpod-vpc-cni @ groups.workers"))
def a_cni_too_old_for_interfaces_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(an_eks_addon(version="v1.18.3-eksbuild.1"), an_instance_group(interface=UNKNOWN))


@case(unjudged=("hyperpod-vpc-cni @ kubernetes",))
def a_cni_of_which_nobody_says_the_version() -> Fleet:
    return a_hyperpod_fleet(an_eks_addon(version=None))


@case(unjudged=("hyperpod-vpc-cni @ groups.workers",))
def no_cni_add_on() -> Fleet:
    return a_hyperpod_fleet(without=(EksAddon,))


# HyperPod's chart


@case("hyperpod-chart-before-cluster @ hyperpod")
def no_chart() -> Fleet:
    return a_hyperpod_fleet(without=(Addon,))


@case()
def a_chart_that_the_cluster_waits_for() -> Fleet:
    return a_hyperpod_fleet(THEIRS, a_hyperpod(after=frozenset({THEIRS.ref})), without=(Addon,))


@case("hyperpod-chart-before-cluster @ hyperpod")
def a_chart_that_the_cluster_does_not_wait_for() -> Fleet:
    return a_hyperpod_fleet(THEIRS, without=(Addon,))


@case("hyperpod-chart-before-cluster @ hyperpod")
def a_chart_of_a_stack_that_comes_later() -> Fleet:
    """A stack of add-ons is installed on a cluster that is there, HyperPod's too."""
    return a_hyperpod_fleet(a_chart(apart="organization/addons/one"))


@case()
def a_chart_of_a_stack_that_comes_later_on_a_cluster_that_has_it() -> Fleet:
    return on_existing(a_chart(apart="organization/addons/one"), known=joined(hyperpodChart=True))


# who is not of the program


@case()
def slurm_alone() -> Fleet:
    """Its nodes join no control plane."""
    slurm_ = a_hyperpod(orchestrator=None, slurm=True, security_groups=(EFA_GROUP_REF,))
    group = an_instance_group(security_groups=(EFA_GROUP_REF,))
    return a_hyperpod_fleet(slurm_, group, without=(ControlPlane, EksAddon, Addon))


@case(
    unjudged=(
        "hyperpod-alone-on-eks @ hyperpod",
        "hyperpod-authentication-mode @ hyperpod",
        "hyperpod-chart-before-cluster @ hyperpod",
        "hyperpod-kubernetes-version @ hyperpod",
        "hyperpod-vpc-cni @ groups.workers",
        "node-template-reaches-control-plane @ groups.workers",
    )
)
def alone_on_an_eks_cluster_of_another_program() -> Fleet:
    """A security group of one's own may reach it: the other program says so."""
    theirs = a_hyperpod(orchestrator=PLATFORM, security_groups=(EFA_GROUP_REF,))
    group = an_instance_group(security_groups=(EFA_GROUP_REF,))
    return a_hyperpod_fleet(theirs, group, without=(ControlPlane, EksAddon, Addon))


# add-ons


def monitored() -> Addon:
    """EKS's node monitoring agent, as Muster installs it."""
    name = "eks-node-monitoring-agent"
    place = Place(f"addons.{name}")
    return Addon(Ref(KUBERNETES_ADDON, name), ADDONS[name].version, place, AddonKind.EKS_ADDON, name, {})


@case("addon-has-a-use @ addons.eks-node-monitoring-agent")
def the_monitoring_agent_of_eks() -> Fleet:
    return a_hyperpod_fleet(monitored())


@case()
def the_monitoring_agent_on_a_cluster_that_exists() -> Fleet:
    """It may have other nodes."""
    return on_existing(monitored())
