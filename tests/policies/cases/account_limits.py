"""The account: what it has quotas for, who asked, when, and where."""

from dataclasses import replace
from typing import Any

from muster.fleet.description.capacity import Capacity, HyperPodCapacity
from muster.fleet.facts import Facts
from muster.fleet.resources import Fleet, StorageVolume
from tests.factories import CR, a_fleet, a_group, a_reservation, a_template, described, facts, on
from tests.hyperpods import a_hyperpod, a_hyperpod_fleet, an_instance_group, hyperpod_facts
from tests.policies.case import case
from tests.slurms import a_head, a_resource, a_slurm_fleet

WORKERS = "groups.workers"
VCPUS, RESOURCES = "quota-covers-vcpus", "quota-covers-resources"
OF_CLUSTERS, OF_NODES = "hyperpod-quota-covers-cluster", "hyperpod-quota-covers-nodes"
MAY, OF_ACCOUNT, FRESH = "identity-may-deploy", "facts-of-this-account", "facts-fresh"
NETWORK, PLANE = "network.create", ""

SEEN: dict[str, Any] = {"permissions": {"ec2:RunInstances": True}}
"""It may."""
YESTERDAY = {"observed": "2026-11-20T10:00:00Z"}
"""When a preflight asked: what it was not told is not evaluated."""
UNTOLD = (
    *("image-parameter-exists @ groups.system", "image-parameter-exists @ groups.workers"),
    *("type-offered-in-zone @ groups.system", "type-offered-in-zone @ groups.workers"),
    "kubernetes-version-offered @ ",
)
"""What it is not told of the default description here, that other rules want."""
EVERY = {
    "L-417A185B": 1920,
    "L-0263D0A3": 5,
    "L-F678F1CE": 5,
    "L-A4707A72": 5,
    "L-FE5A380F": 5,
    "L-1194D53C": 100,
    "L-6D54EA21": 30,
    "L-8F1B9C74": 100800,
    "L-1216C47A": 640,
}
"""A quota of everything, as an account has them by default but for vCPUs."""
ACCOUNT = {"id": "222233334444", "partition": "aws", "region": "us-west-2"}


UNUSED = dict.fromkeys(EVERY, 0)


def said(**more: Any) -> Facts:
    """Room everywhere, and nobody else in the account but where it is said."""
    used = {**UNUSED, **more.pop("quotasUsed", {})}
    return facts(**{**SEEN, "quotas": EVERY, "quotasUsed": used, **more})


def untold(code: str) -> Facts:
    """As a preflight leaves it that was not told how much others use of one quota."""
    told = said(**YESTERDAY).model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return facts(**{**told, "quotasUsed": {each: used for each, used in UNUSED.items() if each != code}})


def created(known: Facts | None, **edits: Any) -> Fleet:
    """The default description in a network of its own with a NAT gateway in each of two zones, on demand."""
    network = {"zones": ["us-west-2a", "us-west-2b"], "nat": "per-zone"}
    ids = {"us-west-2a": "usw2-az1", "us-west-2b": "usw2-az2"}
    on_demand = {"groups.workers.capacity": "on-demand", "groups.workers.zone": "us-west-2a"}
    return described(
        {"network": {"create": {**network, "zone-ids": ids}}, "groups.system.zone": "us-west-2b", **on_demand, **edits},
        facts=known,
    )


def with_storage(known: Facts) -> Fleet:
    lustre = {"size": "4800GiB", "throughput": 250}
    return created(known, storage={"scratch": {"lustre": lustre}})


# quotas of resources


@case()
def a_network_within_all_quotas() -> Fleet:
    return created(said())


@case()
def a_file_system_within_all_quotas() -> Fleet:
    return with_storage(said(quotasUsed={"L-8F1B9C74": 96000}))


@case(f"{RESOURCES} @ storage.scratch.lustre")
def a_file_system_beside_others_beyond_the_quota() -> Fleet:
    return with_storage(said(quotasUsed={"L-8F1B9C74": 96001}))


@case(f"{RESOURCES} @ {NETWORK}")
def addresses_that_others_have() -> Fleet:
    return created(said(quotasUsed={"L-0263D0A3": 4}))


@case()
def the_last_two_addresses() -> Fleet:
    return created(said(quotasUsed={"L-0263D0A3": 3}))


@case(f"{RESOURCES} @ {NETWORK}")
def no_vpc_left() -> Fleet:
    return created(said(quotasUsed={"L-F678F1CE": 5}))


@case(f"{RESOURCES} @ {NETWORK}")
def no_internet_gateway_left() -> Fleet:
    return created(said(quotasUsed={"L-A4707A72": 5}))


@case(f"{RESOURCES} @ {NETWORK}")
def nat_gateways_are_counted_by_zone() -> Fleet:
    return created(said(quotas={**EVERY, "L-FE5A380F": 0}))


@case()
def one_nat_gateway_in_each_of_two_zones() -> Fleet:
    return created(said(quotas={**EVERY, "L-FE5A380F": 1}))


@case(f"{RESOURCES} @ control-plane")
def no_eks_cluster_left() -> Fleet:
    return created(said(quotasUsed={"L-1194D53C": 100}))


@case(f"{RESOURCES} @ groups.system")
def more_node_groups_than_a_cluster_may_have() -> Fleet:
    return created(said(quotas={**EVERY, "L-6D54EA21": 1}))


@case(unjudged=(f"{RESOURCES} @ {NETWORK}", *UNTOLD))
def a_preflight_that_was_not_told_the_addresses() -> Fleet:
    return created(said(**YESTERDAY, quotas={code: value for code, value in EVERY.items() if code != "L-0263D0A3"}))


@case(unjudged=(f"{RESOURCES} @ {NETWORK}", *UNTOLD))
def a_preflight_that_was_not_told_who_has_addresses() -> Fleet:
    return created(untold("L-0263D0A3"))


@case(f"{RESOURCES} @ {NETWORK}", unjudged=UNTOLD)
def addresses_that_are_too_few_for_the_network_alone() -> Fleet:
    known = untold("L-0263D0A3")
    return created(known.model_copy(update={"quotas": {**EVERY, "L-0263D0A3": 1}}))


@case(unjudged=(f"{RESOURCES} @ {NETWORK}", *UNTOLD))
def a_preflight_that_was_not_told_who_has_nat_gateways() -> Fleet:
    return created(untold("L-FE5A380F"))


@case(f"{RESOURCES} @ {NETWORK}")
def nat_gateways_that_others_have_in_the_zone() -> Fleet:
    return created(said(quotasUsed={"L-FE5A380F": 5}))


@case()
def quotas_that_a_person_wrote_without_addresses() -> Fleet:
    return created(facts(quotas={"L-417A185B": 1920}))


@case(f"{RESOURCES} @ {NETWORK}")
def addresses_that_a_person_counted() -> Fleet:
    return created(facts(quotas={"L-417A185B": 1920, "L-0263D0A3": 1}))


# what others use of vCPUs


def beside(used: int, quota: int = 384, **more: Any) -> Fleet:
    group = a_group(capacity=Capacity.model_validate({"on-demand": {}}), nodes_max=1)
    known = said(quotas={**EVERY, "L-417A185B": quota}, quotasUsed={"L-417A185B": used}, **more)
    return a_fleet(a_template(), group, facts=known)


@case()
def others_that_leave_enough() -> Fleet:
    return beside(192)


@case(f"{VCPUS} @ {WORKERS}.nodes")
def others_that_leave_too_little() -> Fleet:
    return beside(193)


UNTOLD_OF_WORKERS = (
    *("image-parameter-exists @ groups.workers", "type-offered-in-zone @ groups.workers"),
    *("kubernetes-version-offered @ ", "subnet-reaches-aws @ "),
)


def alone(quota: int) -> Fleet:
    """One p5.48xlarge, on demand, where it is not known what others use."""
    group = a_group(capacity=Capacity.model_validate({"on-demand": {}}), nodes_max=1)
    known = untold("L-417A185B")
    return a_fleet(a_template(), group, facts=known.model_copy(update={"quotas": {**EVERY, "L-417A185B": quota}}))


@case(unjudged=(f"{VCPUS} @ {WORKERS}", *UNTOLD_OF_WORKERS))
def vcpus_of_which_nobody_said_how_many_others_use() -> Fleet:
    return alone(192)


@case(f"{VCPUS} @ {WORKERS}.nodes", unjudged=UNTOLD_OF_WORKERS)
def vcpus_too_few_for_the_stack_alone() -> Fleet:
    return alone(191)


# what reservations hold


def on_reservation(quota: int, used: int = 0, *, nodes: int = 1, account: bool = True, **more: Any) -> Fleet:
    """A group that may grow to one node, on a reservation of three; a node has 192 vCPUs."""
    usable = {"state": "active", "platform": "Linux/UNIX", "tenancy": "default", "reservationType": "default"}
    held = {"instanceType": "p5.48xlarge", "zone": "us-west-2a", "totalInstances": 3, "owner": ACCOUNT["id"], **usable}
    known = said(
        quotas={**EVERY, "L-417A185B": quota},
        quotasUsed={"L-417A185B": used},
        reservations={CR: {**held, **more}},
        **({"account": ACCOUNT} if account else {}),
    )
    group = a_group(reservation=a_reservation(count=3), nodes_max=nodes)
    return a_fleet(a_template(**on()), group, facts=known)


@case()
def a_reservation_counts_whole_and_fits() -> Fleet:
    return on_reservation(3 * 192)


@case(f"{VCPUS} @ {WORKERS}.nodes")
def a_reservation_counts_whole_and_does_not_fit() -> Fleet:
    return on_reservation(3 * 192 - 1)


@case(f"{VCPUS} @ {WORKERS}.nodes")
def a_reservation_counts_whole_beside_others() -> Fleet:
    return on_reservation(4 * 192, 193)


@case()
def nodes_in_a_reservation_are_not_counted_beside_it() -> Fleet:
    return on_reservation(3 * 192, nodes=3)


@case()
def a_reservation_that_is_shared_counts_where_it_is_from() -> Fleet:
    return on_reservation(192, owner="333344445555")


@case()
def a_reservation_of_which_nobody_says_whose_it_is() -> Fleet:
    return on_reservation(192, account=False)


@case(f"{VCPUS} @ {WORKERS}.nodes", f"{VCPUS} @ groups.more.nodes")
def two_groups_share_what_a_reservation_counts() -> Fleet:
    known = on_reservation(3 * 192 - 1).facts
    shared = {"reservation": a_reservation(count=3), "nodes_max": 1}
    more = (a_template("more", **on()), a_group("more", **shared))
    return a_fleet(a_template(**on()), a_group(**shared), *more, facts=known)


def standard(**known: Any) -> Fleet:
    group = a_group(capacity=Capacity.model_validate({"on-demand": {}}), nodes_max=2)
    return a_fleet(a_template(instance="m5.8xlarge", interfaces=()), group, facts=facts(**known))


@case(f"{VCPUS} @ {WORKERS}.nodes")
def standard_instances_beyond_their_quota() -> Fleet:
    return standard(quotas={"L-1216C47A": 63})


@case()
def standard_instances_within_their_quota() -> Fleet:
    return standard(quotas={"L-1216C47A": 64})


@case(
    unjudged=(
        f"{VCPUS} @ {WORKERS}",
        f"{RESOURCES} @ {PLANE}",
        f"{RESOURCES} @ {WORKERS}",
        "image-parameter-exists @ groups.workers",
        "type-offered-in-zone @ groups.workers",
        "kubernetes-version-offered @ ",
        "subnet-reaches-aws @ ",
    )
)
def a_preflight_that_was_told_no_quota() -> Fleet:
    return standard(**SEEN, **YESTERDAY)


@case(f"{VCPUS} @ queues.train.groups.workers.nodes")
def a_head_node_counts_with_its_queue() -> Fleet:
    on_demand = Capacity.model_validate({"on-demand": {}})
    group = a_resource(instances=("m5.8xlarge",), nodes_min=0, nodes_max=1, capacity=on_demand, efa=False)
    return a_slurm_fleet(a_head(instance="m5.8xlarge"), group, known=facts(quotas={"L-1216C47A": 63}))


# limits of HyperPod's clusters

ONE, ALL = (
    "Maximum number instances allowed per SageMaker HyperPod cluster",
    "Total number of instances allowed across SageMaker HyperPod clusters",
)
OF_P5 = "ml.p5.48xlarge for cluster usage"
SPOT, VOLUME = (
    "Total number of Spot instances allowed across SageMaker HyperPod clusters",
    "Maximum size of EBS volume in GB for a SageMaker HyperPod cluster instance",
)


def pods(limits: dict[str, int], **more: Any) -> Facts:
    quotas = {OF_P5: 4, **limits}
    used = {**dict.fromkeys(quotas, 0), **more.pop("hyperpodQuotasUsed", {})}
    return facts(hyperpodQuotas=quotas, hyperpodQuotasUsed=used, **more)


@case()
def a_cluster_within_its_limits() -> Fleet:
    return a_hyperpod_fleet(known=pods({ONE: 1, ALL: 1}))


@case(f"{OF_CLUSTERS} @ hyperpod")
def more_instances_than_one_cluster_may_have() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(nodes_start=2), known=pods({ONE: 1, ALL: 2}))


@case(f"{OF_CLUSTERS} @ hyperpod")
def more_instances_than_all_clusters_may_have() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(nodes_start=2), known=pods({ONE: 2, ALL: 1}))


@case(f"{OF_CLUSTERS} @ hyperpod")
def a_volume_beyond_its_limit() -> Fleet:
    volumes = (StorageVolume(500), StorageVolume(1025))
    return a_hyperpod_fleet(an_instance_group(volumes=volumes), known=pods({VOLUME: 1024}))


@case(f"{OF_CLUSTERS} @ hyperpod")
def spot_instances_where_none_may_be() -> Fleet:
    capacity = HyperPodCapacity.model_validate({"spot": {"interruptions-accepted": True}})
    known = pods({"ml.p5.48xlarge for cluster spot instance usage": 4, SPOT: 0})
    group = an_instance_group(spot=True, capacity=capacity)
    return a_hyperpod_fleet(a_hyperpod(provisioning="Continuous"), group, known=known)


@case(
    unjudged=(
        f"{OF_CLUSTERS} @ hyperpod",
        f"{RESOURCES} @ {PLANE}",
        "type-offered-in-zone @ groups.workers",
        "kubernetes-version-offered @ ",
        "subnet-reaches-aws @ ",
    )
)
def a_preflight_that_was_not_told_the_limits() -> Fleet:
    return a_hyperpod_fleet(known=pods({}, **SEEN, **YESTERDAY))


@case(f"{OF_NODES} @ groups.workers.nodes")
def instances_that_other_clusters_have() -> Fleet:
    return a_hyperpod_fleet(known=pods({}, hyperpodQuotasUsed={OF_P5: 4}))


@case()
def instances_that_other_clusters_leave() -> Fleet:
    return a_hyperpod_fleet(known=pods({ALL: 10}, hyperpodQuotasUsed={OF_P5: 3, ALL: 9}))


@case(f"{OF_CLUSTERS} @ hyperpod")
def all_instances_that_other_clusters_have() -> Fleet:
    return a_hyperpod_fleet(known=pods({ALL: 10}, hyperpodQuotasUsed={ALL: 10}))


def clusters_untold(*names: str) -> Facts:
    """As a preflight leaves it that was not told what other clusters have."""
    every = {ONE: 20, ALL: 20, VOLUME: 1024, OF_P5: 4}
    used = {each: 0 for each in every if each not in names}
    quotas = {"quotas": EVERY, "quotasUsed": UNUSED}
    return facts(hyperpodQuotas=every, hyperpodQuotasUsed=used, **quotas, **SEEN, **YESTERDAY)


UNTOLD_OF_HYPERPOD = (
    *("type-offered-in-zone @ groups.workers", "kubernetes-version-offered @ ", "subnet-reaches-aws @ "),
)


@case(unjudged=(f"{OF_NODES} @ groups.workers", *UNTOLD_OF_HYPERPOD))
def a_preflight_that_was_not_told_what_other_clusters_have_of_a_type() -> Fleet:
    return a_hyperpod_fleet(known=clusters_untold(OF_P5))


@case(unjudged=(f"{OF_CLUSTERS} @ hyperpod", *UNTOLD_OF_HYPERPOD))
def a_preflight_that_was_not_told_what_other_clusters_have() -> Fleet:
    return a_hyperpod_fleet(known=clusters_untold(ALL))


@case(f"{OF_NODES} @ groups.workers.nodes", unjudged=UNTOLD_OF_HYPERPOD)
def more_instances_than_the_quota_whatever_others_have() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(nodes_start=5), known=clusters_untold(OF_P5))


# who asked


@case(f"{MAY} @ {PLANE}")
def an_identity_that_may_not_all() -> Fleet:
    return created(said(permissions={"ec2:RunInstances": False, "eks:CreateCluster": True}))


@case(unjudged=(f"{MAY} @ {PLANE}",))
def an_identity_of_which_a_condition_decides() -> Fleet:
    return created(said(permissions={"ec2:RunInstances": None, "eks:CreateCluster": True, "iam:PassRole": None}))


@case(f"{MAY} @ {PLANE}", unjudged=(f"{MAY} @ {PLANE}",))
def an_identity_that_may_not_all_that_is_known() -> Fleet:
    return created(said(permissions={"ec2:RunInstances": None, "eks:CreateCluster": False}))


@case(unjudged=(f"{MAY} @ {PLANE}", *UNTOLD))
def a_preflight_that_was_not_told_the_rights() -> Fleet:
    return created(said(**YESTERDAY, permissions={}))


# whose facts


@case()
def facts_of_the_account_that_is_allowed() -> Fleet:
    fleet = created(said(account=ACCOUNT))
    return allowed(fleet, "222233334444", "333344445555")


def allowed(fleet: Fleet, *accounts: str) -> Fleet:
    return replace(fleet, allowed_accounts=accounts)


@case(f"{OF_ACCOUNT} @ facts.account.id")
def facts_of_an_account_that_is_not_allowed() -> Fleet:
    return allowed(created(said(account=ACCOUNT)), "333344445555")


@case(f"{OF_ACCOUNT} @ facts.account.region")
def facts_of_another_region() -> Fleet:
    return created(said(account={**ACCOUNT, "region": "us-east-1"}))


@case(f"{OF_ACCOUNT} @ facts.account.partition")
def facts_of_another_partition() -> Fleet:
    return created(said(account={**ACCOUNT, "partition": "aws-cn"}))


def on_group(account: str) -> Fleet:
    arn = f"arn:aws:resource-groups:us-west-2:{account}:group/p5"
    group = {"configurations": ["AWS::EC2::CapacityReservationPool", "AWS::ResourceGroups::Generic"]}
    id_ = "cr-0123456789abcdef0"
    reservation = {"instanceType": "p5.48xlarge", "zone": "us-west-2a", "totalInstances": 1, "state": "active"}
    known = said(
        account=ACCOUNT,
        reservations={
            id_: {**reservation, "platform": "Linux/UNIX", "tenancy": "default", "reservationType": "default"}
        },
        reservationGroups={arn: {**group, "reservations": [id_]}},
    )
    return a_fleet(
        a_template(**on(None, group=arn, preference="capacity-reservations-only")), a_group(capacity=None), facts=known
    )


@case()
def a_group_of_reservations_of_the_same_account() -> Fleet:
    return on_group("222233334444")


@case(f"{OF_ACCOUNT} @ facts.account.id")
def a_group_of_reservations_of_another_account() -> Fleet:
    return on_group("333344445555")


@case(f"{OF_ACCOUNT} @ facts.account.id")
def a_training_plan_of_another_account() -> Fleet:
    arn = "arn:aws:sagemaker:us-west-2:333344445555:training-plan/spring"
    target = {"zone": "us-west-2a", "totalInstances": 1, "targets": ["hyperpod-cluster"]}
    known = hyperpod_facts(
        account=ACCOUNT, trainingPlans={arn: {"state": "Active", "instanceType": "ml.p5.48xlarge", **target}}
    )
    capacity = HyperPodCapacity.model_validate({"training-plan": {"arn": arn, "zone": "us-west-2a", "count": 1}})
    group = an_instance_group(training_plan=arn, capacity=capacity, zone="us-west-2a")
    return a_hyperpod_fleet(group, known=known)


# how old


def seen_on(day: str) -> Fleet:
    return created(said(observed=f"{day}T10:00:00Z"))


@case(unjudged=UNTOLD)
def facts_of_a_week_ago() -> Fleet:
    return seen_on("2026-11-14")


@case(f"{FRESH} @ facts.observed", unjudged=UNTOLD)
def facts_of_more_than_a_week_ago() -> Fleet:
    return seen_on("2026-11-13")


def kept(path: str, day: str | None) -> Fleet:
    """Asked yesterday, with something that AWS did not answer then and said on a day before."""
    return created(said(**YESTERDAY, kept={path: day and f"{day}T10:00:00Z"}))


@case(f"{FRESH} @ facts.kept", unjudged=UNTOLD)
def an_answer_of_more_than_a_week_ago_that_was_kept() -> Fleet:
    return kept("/quotas/L-417A185B", "2026-11-13")


@case(unjudged=UNTOLD)
def an_answer_of_a_week_ago_that_was_kept() -> Fleet:
    return kept("/quotas/L-417A185B", "2026-11-14")


@case(unjudged=UNTOLD)
def a_fact_of_a_persons_that_was_kept() -> Fleet:
    return kept("/quotas/L-417A185B", None)


@case(unjudged=UNTOLD)
def an_old_answer_about_what_is_not_named_any_more() -> Fleet:
    return kept("/keyPairs/somebody", "2026-01-01")


@case(unjudged=UNTOLD)
def an_old_answer_that_leads_nowhere() -> Fleet:
    return kept("nowhere", "2026-01-01")


@case(unjudged=UNTOLD)
def facts_of_after_the_day_that_is_judged_by() -> Fleet:
    return seen_on("2026-12-24")
