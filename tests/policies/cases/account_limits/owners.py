"""Whose facts they are."""

from dataclasses import replace

from muster.config.description.capacity import HyperPodCapacity
from muster.fleet.resources import Fleet
from tests.factories import CR, a_fleet, a_group, a_template, on, reservation_facts
from tests.hyperpods import a_hyperpod_fleet, an_instance_group, hyperpod_facts
from tests.policies.account_limits import ACCOUNT, YESTERDAY, created, said
from tests.policies.case import case, cases

cases(
    facts_of_the_account_that_is_allowed=lambda: allowed(
        created(said(account=ACCOUNT)), "222233334444", "333344445555"
    ),
)


def allowed(fleet: Fleet, *accounts: str) -> Fleet:
    return replace(fleet, allowed_accounts=accounts)


cases(
    facts_of_an_account_that_is_not_allowed=lambda: allowed(created(said(account=ACCOUNT)), "333344445555"),
    facts_that_aws_gave_of_it_does_not_say_whom=lambda: allowed(
        created(said(**YESTERDAY, account={key: value for key, value in ACCOUNT.items() if key != "id"})),
        "222233334444",
    ),
    facts_of_it_is_not_said_whom_and_any_account_will_do=lambda: created(said(**YESTERDAY)),
    facts_that_a_person_wrote_of_an_account_without_a_name=lambda: allowed(created(said()), "222233334444"),
    facts_of_another_region_and_it_is_not_said_whose=lambda: allowed(
        created(said(**YESTERDAY, account={"partition": "aws", "region": "us-east-1"})), "222233334444"
    ),
    facts_of_another_region=lambda: created(said(account={**ACCOUNT, "region": "us-east-1"})),
    facts_of_another_partition=lambda: created(said(account={**ACCOUNT, "partition": "aws-cn"})),
)


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


cases(
    a_group_of_reservations_of_the_same_account=lambda: on_group("222233334444"),
    a_group_of_reservations_of_another_account=lambda: on_group("333344445555"),
)


@case
def a_training_plan_of_another_account() -> Fleet:
    arn = "arn:aws:sagemaker:us-west-2:333344445555:training-plan/spring"
    target = {"zone": "us-west-2a", "totalInstances": 1, "targets": ["hyperpod-cluster"]}
    known = hyperpod_facts(
        account=ACCOUNT, trainingPlans={arn: {"state": "Active", "instanceType": "ml.p5.48xlarge", **target}}
    )
    capacity = HyperPodCapacity.model_validate({"training-plan": {"arn": arn, "zone": "us-west-2a", "count": 1}})
    group = an_instance_group(training_plan=arn, capacity=capacity, zone="us-west-2a")
    return a_hyperpod_fleet(group, known=known)
