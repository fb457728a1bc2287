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
from muster.policies.views.addons import RELEASE
from muster.unknown import UNKNOWN
from muster.versions import ADDONS
from tests.factories import (
    a_control_plane,
    an_eks_addon,
    elsewhere,
)
from tests.hyperpods import (
    EFA_GROUP_REF,
    EXISTING,
    PLAN,
    a_chart,
    a_hyperpod,
    a_hyperpod_fleet,
    an_instance_group,
    joined,
    on_existing,
)
from tests.policies.addons import an_addon
from tests.policies.case import cases

PLATFORM = "arn:aws:eks:us-west-2:111122223333:cluster/platform"

SCALED = a_hyperpod(autoscaler="Karpenter", provisioning="Continuous", has_cluster_role=True)

THEIRS = elsewhere(a_chart(Ref(RELEASE, "hyperpod-chart")), "hyperpod-chart")


cases(
    a_cluster_that_nothing_is_wrong_with=lambda: a_hyperpod_fleet(),
)


# how the cluster is run


cases(
    manual_recovery=lambda: a_hyperpod_fleet(a_hyperpod(node_recovery="Manual")),
    no_word_on_recovery=lambda: a_hyperpod_fleet(a_hyperpod(node_recovery=None)),
    recovery_not_yet_known=lambda: a_hyperpod_fleet(a_hyperpod(node_recovery=UNKNOWN)),
    eks_and_slurm=lambda: a_hyperpod_fleet(a_hyperpod(slurm=True)),
    neither_eks_nor_slurm=lambda: a_hyperpod_fleet(a_hyperpod(orchestrator=None)),
    # Rules about EKS have nothing to say.
    slurm=lambda: a_hyperpod_fleet(a_hyperpod(orchestrator=None, slurm=True)),
    provisioning_all_at_once=lambda: a_hyperpod_fleet(a_hyperpod(provisioning="AllAtOnce")),
    # AWS announced it in May 2026.
    slurm_provisioned_continuously=lambda: a_hyperpod_fleet(
        a_hyperpod(orchestrator=None, slurm=True, provisioning="Continuous")
    ),
    provisioning_not_yet_known=lambda: a_hyperpod_fleet(a_hyperpod(provisioning=UNKNOWN)),
    karpenter_with_all_it_needs=lambda: a_hyperpod_fleet(
        a_hyperpod(autoscaler="Karpenter", provisioning="Continuous", has_cluster_role=True)
    ),
    karpenter_with_a_group_on_a_training_plan=lambda: a_hyperpod_fleet(SCALED, an_instance_group(training_plan=PLAN)),
    karpenter_with_a_group_of_deep_checks=lambda: a_hyperpod_fleet(
        SCALED, an_instance_group(deep_checks=frozenset({"InstanceStress"}))
    ),
    karpenter_with_arm_instances=lambda: a_hyperpod_fleet(SCALED, an_instance_group(instance_type="ml.c7g.16xlarge")),
    karpenter_with_another_group_that_it_can_scale=lambda: a_hyperpod_fleet(
        SCALED, an_instance_group(training_plan=PLAN), an_instance_group("others")
    ),
    karpenter_where_checks_are_not_yet_known=lambda: a_hyperpod_fleet(SCALED, an_instance_group(deep_checks=UNKNOWN)),
    karpenter_alone=lambda: a_hyperpod_fleet(a_hyperpod(autoscaler="Karpenter", node_recovery="None")),
    autoscaling_not_yet_known=lambda: a_hyperpod_fleet(a_hyperpod(autoscaler=UNKNOWN)),
)


EFA_DRA = an_addon("aws-dranet")


cases(
    efas_dra_driver_on_nodes_of_karpenter=lambda: a_hyperpod_fleet(
        a_hyperpod(autoscaler="Karpenter", provisioning="Continuous", has_cluster_role=True), EFA_DRA
    ),
    efas_dra_driver_where_autoscaling_is_not_yet_known=lambda: a_hyperpod_fleet(
        a_hyperpod(autoscaler=UNKNOWN), EFA_DRA
    ),
    efas_dra_driver_without_karpenter=lambda: a_hyperpod_fleet(EFA_DRA),
)


# other CNIs


def with_cni(chart: Any, **values: Any) -> Fleet:
    return a_hyperpod_fleet(an_addon(chart, values=values, name="cni"))


cases(
    cilium_in_place_of_the_vpc_cni=lambda: with_cni("cilium"),
    cilium_beside_the_vpc_cni=lambda: with_cni("cilium", cni={"chainingMode": "aws-cni", "exclusive": False}),
    calico_in_place_of_the_vpc_cni=lambda: with_cni("tigera-operator", installation={"cni": {"type": "Calico"}}),
    calico_beside_the_vpc_cni=lambda: with_cni("tigera-operator", installation={"cni": {"type": "AmazonVPC"}}),
    flannel=lambda: with_cni("flannel", cni=UNKNOWN),
    cilium_of_which_the_mode_is_not_yet_known=lambda: with_cni("cilium", cni=UNKNOWN),
)


# the control plane


cases(
    an_eks_cluster_of_config_maps=lambda: a_hyperpod_fleet(a_control_plane(authentication="CONFIG_MAP", name="ml")),
    an_eks_cluster_of_a_mode_that_is_newer=lambda: a_hyperpod_fleet(a_control_plane(authentication="NEXT", name="ml")),
    an_eks_cluster_of_whose_mode_nobody_speaks=lambda: a_hyperpod_fleet(a_control_plane(authentication=None)),
    an_eks_cluster_whose_mode_is_not_yet_known=lambda: a_hyperpod_fleet(a_control_plane(authentication=UNKNOWN)),
    an_eks_cluster_that_is_not_of_the_program=lambda: a_hyperpod_fleet(
        a_hyperpod(orchestrator=PLATFORM), without=(ControlPlane,)
    ),
    an_eks_cluster_not_yet_known=lambda: a_hyperpod_fleet(a_hyperpod(orchestrator=UNKNOWN)),
    an_eks_cluster_that_nobody_registered=lambda: a_hyperpod_fleet(without=(ControlPlane,)),
    kubernetes_1_29=lambda: a_hyperpod_fleet(a_control_plane("1.29", authentication="API", name="ml")),
    kubernetes_1_30=lambda: a_hyperpod_fleet(a_control_plane("1.30", authentication="API", name="ml")),
    kubernetes_1_31=lambda: a_hyperpod_fleet(a_control_plane("1.31", authentication="API", name="ml")),
    kubernetes_1_36=lambda: a_hyperpod_fleet(a_control_plane("1.36", authentication="API", name="ml")),
    kubernetes_that_eks_chooses=lambda: a_hyperpod_fleet(a_control_plane(None, authentication="API", name="ml")),
    a_second_hyperpod_cluster=lambda: a_hyperpod_fleet(a_hyperpod("second", name="second", place=Place(""))),
    a_second_hyperpod_cluster_on_another_eks_cluster=lambda: a_hyperpod_fleet(
        a_hyperpod("second", name="second", orchestrator=None, slurm=True, place=Place(""))
    ),
    on_an_eks_cluster_that_exists=lambda: on_existing(),
    on_one_that_has_a_hyperpod_cluster=lambda: on_existing(known=joined(hyperpodClusters=["theirs"])),
    on_one_that_has_this_one=lambda: on_existing(known=joined(hyperpodClusters=["ml-cluster"])),
    on_one_of_which_nobody_said_so=lambda: on_existing(
        known=joined(hyperpodClusters=None, hyperpodChart=None, eksAddons=None)
    ),
    on_one_with_an_old_cni=lambda: on_existing(known=joined(eksAddons={"vpc-cni": "v1.18.0-eksbuild.1"})),
    on_one_without_the_chart=lambda: on_existing(known=joined(hyperpodChart=False)),
    on_one_without_the_chart_that_this_stack_brings=lambda: on_existing(a_chart(), known=joined(hyperpodChart=False)),
    on_one_of_config_maps=lambda: on_existing(replace(EXISTING, authentication="CONFIG_MAP")),
)


# the CNI


cases(
    a_cni_from_before_hyperpod=lambda: a_hyperpod_fleet(an_eks_addon(version="v1.18.2-eksbuild.1")),
    the_first_cni_for_hyperpod=lambda: a_hyperpod_fleet(an_eks_addon(version="v1.18.3-eksbuild.1")),
    a_cni_too_old_for_efa_only=lambda: a_hyperpod_fleet(
        an_eks_addon(version="v1.18.3-eksbuild.1"), an_instance_group(interface="efa-only")
    ),
    a_cni_too_old_for_interfaces_not_yet_known=lambda: a_hyperpod_fleet(
        an_eks_addon(version="v1.18.3-eksbuild.1"), an_instance_group(interface=UNKNOWN)
    ),
    a_cni_of_which_nobody_says_the_version=lambda: a_hyperpod_fleet(an_eks_addon(version=None)),
    no_cni_add_on=lambda: a_hyperpod_fleet(without=(EksAddon,)),
)


# HyperPod's chart


cases(
    no_chart=lambda: a_hyperpod_fleet(without=(Addon,)),
    a_chart_that_the_cluster_waits_for=lambda: a_hyperpod_fleet(
        THEIRS, a_hyperpod(after=frozenset({THEIRS.ref})), without=(Addon,)
    ),
    a_chart_that_the_cluster_does_not_wait_for=lambda: a_hyperpod_fleet(THEIRS, without=(Addon,)),
    # A stack of add-ons is installed on a cluster that is there, HyperPod's too.
    a_chart_of_a_stack_that_comes_later=lambda: a_hyperpod_fleet(a_chart(apart="organization/addons/one")),
    a_chart_of_a_stack_that_comes_later_on_a_cluster_that_has_it=lambda: on_existing(
        a_chart(apart="organization/addons/one"), known=joined(hyperpodChart=True)
    ),
)


# who is not of the program


cases(
    # Its nodes join no control plane.
    slurm_alone=lambda: a_hyperpod_fleet(
        a_hyperpod(orchestrator=None, slurm=True, security_groups=(EFA_GROUP_REF,)),
        an_instance_group(security_groups=(EFA_GROUP_REF,)),
        without=(ControlPlane, EksAddon, Addon),
    ),
    # A security group of one's own may reach it: the other program says so.
    alone_on_an_eks_cluster_of_another_program=lambda: a_hyperpod_fleet(
        a_hyperpod(orchestrator=PLATFORM, security_groups=(EFA_GROUP_REF,)),
        an_instance_group(security_groups=(EFA_GROUP_REF,)),
        without=(ControlPlane, EksAddon, Addon),
    ),
)


# add-ons


def monitored() -> Addon:
    """EKS's node monitoring agent, as Muster installs it."""
    name = "eks-node-monitoring-agent"
    place = Place(f"addons.{name}")
    return Addon(Ref(KUBERNETES_ADDON, name), ADDONS[name].version, place, AddonKind.EKS_ADDON, name, {})


cases(
    the_monitoring_agent_of_eks=lambda: a_hyperpod_fleet(monitored()),
    # It may have other nodes.
    the_monitoring_agent_on_a_cluster_that_exists=lambda: on_existing(monitored()),
)
