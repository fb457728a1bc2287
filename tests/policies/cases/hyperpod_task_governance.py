"""Quotas of teams in HyperPod's task governance."""

from typing import Any

from muster.blueprint.logical_names import HYPERPOD_REF
from muster.fleet.resources import ComputeQuota, EksAddon, Place, QuotaAmount, Ref
from muster.fleet.resources.ref import ADDON, COMPUTE_QUOTA
from muster.unknown import UNKNOWN
from tests.factories.hyperpod_fleets import a_hyperpod_fleet, an_instance_group, joined, on_existing
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


cases(
    a_quota_of_a_type_that_hyperpod_lacks=lambda: governed(a_quota("research", an_amount("ml.p3dn.24xlarge"))),
    a_quota_of_which_nothing_is_known=lambda: governed(
        a_quota(UNKNOWN, name=UNKNOWN, amounts=UNKNOWN, strategy=UNKNOWN, weight=UNKNOWN)
    ),
    # The sum of the quotas.
    # The add-on.
    quotas_without_the_add_on=lambda: a_hyperpod_fleet(a_quota()),
    quotas_on_an_eks_cluster_of_which_nobody_said_so=lambda: on_existing(a_quota(), known=joined(eksAddons=None)),
)
