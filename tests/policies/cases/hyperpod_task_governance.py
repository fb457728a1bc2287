"""Quotas of teams in HyperPod's task governance."""

from typing import Any

from muster.blueprint.logical_names import HYPERPOD_REF
from muster.fleet.resources import ComputeQuota, ControlPlane, EksAddon, Place, QuotaAmount, Ref
from muster.fleet.resources.ref import ADDON, COMPUTE_QUOTA
from muster.unknown import UNKNOWN
from tests.hyperpods import a_hyperpod, a_hyperpod_fleet, an_instance_group, joined, on_existing
from tests.policies.case import cases

ADDON_NAME = "amazon-sagemaker-hyperpod-taskgovernance"
P5 = "ml.p5.48xlarge"


def an_amount(kind: Any = P5, **more: Any) -> QuotaAmount:
    return QuotaAmount(kind, **(more or {"instances": 1}))


def a_quota(team: Any = "research", *amounts: QuotaAmount, **more: Any) -> ComputeQuota:
    """What one team gets: one ml.p5.48xlarge."""
    name = team if isinstance(team, str) else "quota"
    defaults: dict[str, Any] = {
        "name": name,
        "team": team,
        "cluster": HYPERPOD_REF,
        "amounts": amounts or (an_amount(),),
        "place": Place(f"hyperpod.task-governance.teams.{name}"),
        "strategy": "LendAndBorrow",
    }
    return ComputeQuota(Ref(COMPUTE_QUOTA, name), **{**defaults, **more})


def an_addon(name: Any = ADDON_NAME) -> EksAddon:
    return EksAddon(Ref(ADDON, "governance"), name, "v1.6.0-eksbuild.1", Place("addons.hyperpod-task-governance"))


def governed(*things: Any, **more: Any) -> Any:
    """With the add-on, and four instances."""
    return a_hyperpod_fleet(an_addon(), an_instance_group(nodes_start=4), *things, **more)


OF_PROGRAM = Place("urn:pulumi:a::b::aws-native:sagemaker:ComputeQuota::research")


cases(
    two_teams_that_share_the_instances=lambda: governed(
        a_quota("research", an_amount(instances=2)), a_quota("product", an_amount(accelerators=16))
    ),
    a_team_of_bad_form=lambda: governed(a_quota("Research")),
    a_team_with_a_long_name=lambda: governed(a_quota("a" * 41)),
    a_team_with_the_longest_name=lambda: governed(a_quota("a" * 40)),
    a_quota_without_team=lambda: governed(a_quota(None)),
    two_quotas_of_one_name=lambda: governed(a_quota(), a_quota("product", name="research")),
    a_quota_of_a_name_that_ends_in_a_dash=lambda: governed(a_quota(name="research-")),
    a_quota_of_a_type_that_hyperpod_lacks=lambda: governed(a_quota("research", an_amount("ml.p3dn.24xlarge"))),
    a_quota_of_a_type_by_ec2s_name=lambda: governed(a_quota("research", an_amount("p5.48xlarge"))),
    gpus_of_a_type_that_has_none=lambda: governed(
        a_quota("research", an_amount("ml.m5.8xlarge", accelerators=8)),
        an_instance_group("cpus", instance_type="ml.m5.8xlarge"),
    ),
    a_mig_profile_of_another_gpu=lambda: governed(a_quota("research", an_amount(partition="mig-1g.5gb", partitions=7))),
    a_mig_profile_of_its_gpu=lambda: governed(a_quota("research", an_amount(partition="mig-1g.10gb", partitions=7))),
    a_mig_profile_that_is_none=lambda: governed(a_quota("research", an_amount(partition="1g.10gb", partitions=7))),
    sharing_of_no_kind=lambda: governed(a_quota(strategy="Borrow", preemption="Always")),
    numbers_beyond_the_apis=lambda: governed(a_quota(borrow_percent=10_001, weight=101)),
    sixteen_types=lambda: governed(a_quota(borrow_limits=(an_amount(),) * 16)),
    a_quota_of_which_nothing_is_known=lambda: governed(
        a_quota(UNKNOWN, name=UNKNOWN, amounts=UNKNOWN, strategy=UNKNOWN, weight=UNKNOWN)
    ),
    an_amount_not_yet_known=lambda: governed(a_quota("research", an_amount(instances=UNKNOWN))),
    a_quota_for_slurm=lambda: governed(a_quota(), a_hyperpod(orchestrator=None, slurm=True), without=(ControlPlane,)),
    # The sum of the quotas.
    more_instances_than_there_are=lambda: governed(
        a_quota("research", an_amount(instances=3)), a_quota("product", an_amount(instances=2))
    ),
    more_accelerators_than_there_are=lambda: governed(
        a_quota("research", an_amount(accelerators=20)), a_quota("product", an_amount(instances=2))
    ),
    more_memory_than_there_is=lambda: governed(a_quota("research", an_amount(accelerators=8, memory_gib=9000))),
    vcpus_alone=lambda: governed(a_quota("research", an_amount(vcpus=192 * 4))),
    memory_alone=lambda: governed(a_quota("research", an_amount(memory_gib=2048 * 5))),
    a_quota_of_a_type_that_the_cluster_lacks=lambda: governed(a_quota("research", an_amount("ml.g5.8xlarge"))),
    a_quota_that_is_off=lambda: governed(a_quota("research", an_amount(instances=9), enabled=False)),
    a_quota_beyond_what_karpenter_begins_with=lambda: governed(
        a_quota("research", an_amount(instances=9)),
        a_hyperpod(autoscaler="Karpenter", provisioning="Continuous", has_cluster_role=True),
    ),
    a_quota_where_counts_are_not_yet_known=lambda: governed(a_quota(), an_instance_group(nodes_start=UNKNOWN)),
    a_quota_of_another_programs_cluster=lambda: governed(
        a_quota(
            cluster="arn:aws:sagemaker:us-west-2:111122223333:cluster/abcdefghijkl", amounts=(an_amount(instances=9),)
        )
    ),
    # The add-on.
    quotas_without_the_add_on=lambda: a_hyperpod_fleet(a_quota()),
    quotas_with_add_ons_not_yet_known=lambda: a_hyperpod_fleet(a_quota(), an_addon(UNKNOWN)),
    quotas_on_an_eks_cluster_that_has_it=lambda: on_existing(
        a_quota(), known=joined(eksAddons={"vpc-cni": "v1.23.1-eksbuild.1", ADDON_NAME: "v1.6.0-eksbuild.1"})
    ),
    quotas_on_an_eks_cluster_that_lacks_it=lambda: on_existing(a_quota()),
    quotas_on_an_eks_cluster_of_which_nobody_said_so=lambda: on_existing(a_quota(), known=joined(eksAddons=None)),
    quotas_of_a_program_that_do_not_wait=lambda: governed(a_quota(place=OF_PROGRAM)),
    quotas_of_a_program_that_wait=lambda: governed(
        a_quota(place=OF_PROGRAM, after=frozenset({Ref(ADDON, "governance")}))
    ),
)
