"""Whose facts they are."""

from dataclasses import replace

from muster.config.description.capacity import HyperPodCapacity
from muster.fleet.resources import Fleet
from tests.factories import CR, a_fleet, a_group, a_template, on, reservation_facts
from tests.hyperpods import a_hyperpod_fleet, an_instance_group, hyperpod_facts
from tests.policies.account_limits import ACCOUNT, OF_ACCOUNT, UNTOLD, YESTERDAY, created, said
from tests.policies.case import case


@case()
def facts_of_the_account_that_is_allowed() -> Fleet:
    fleet = created(said(account=ACCOUNT))
    return allowed(fleet, "222233334444", "333344445555")


def allowed(fleet: Fleet, *accounts: str) -> Fleet:
    return replace(fleet, allowed_accounts=accounts)


@case(f"{OF_ACCOUNT} @ facts.account.id")
def facts_of_an_account_that_is_not_allowed() -> Fleet:
    return allowed(created(said(account=ACCOUNT)), "333344445555")


@case(unjudged=(f"{OF_ACCOUNT} @ ", *UNTOLD))
def facts_that_aws_gave_of_it_does_not_say_whom() -> Fleet:
    nameless = {key: value for key, value in ACCOUNT.items() if key != "id"}
    return allowed(created(said(**YESTERDAY, account=nameless)), "222233334444")


@case(unjudged=UNTOLD)
def facts_of_it_is_not_said_whom_and_any_account_will_do() -> Fleet:
    return created(said(**YESTERDAY))


@case()
def facts_that_a_person_wrote_of_an_account_without_a_name() -> Fleet:
    return allowed(created(said()), "222233334444")


@case(f"{OF_ACCOUNT} @ facts.account.region", unjudged=UNTOLD)
def facts_of_another_region_and_it_is_not_said_whose() -> Fleet:
    account = {"partition": "aws", "region": "us-east-1"}
    return allowed(created(said(**YESTERDAY, account=account)), "222233334444")


@case(f"{OF_ACCOUNT} @ facts.account.region")
def facts_of_another_region() -> Fleet:
    return created(said(account={**ACCOUNT, "region": "us-east-1"}))


@case(f"{OF_ACCOUNT} @ facts.account.partition")
def facts_of_another_partition() -> Fleet:
    return created(said(account={**ACCOUNT, "partition": "aws-cn"}))


def on_group(account: str) -> Fleet:
    arn = f"arn:aws:resource-groups:us-west-2:{account}:group/p5"
    group = {"configurations": ["AWS::EC2::CapacityReservationPool", "AWS::ResourceGroups::Generic"]}
    known = said(
        account=ACCOUNT,
        reservations=reservation_facts().reservations,
        reservationGroups={arn: {**group, "reservations": [CR]}},
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
