"""Whose facts they are."""

from dataclasses import replace

from muster.fleet.resources import Fleet
from tests.factories import CR, a_fleet, a_group, a_template, on, reservation_facts
from tests.policies.account_limits import ACCOUNT, YESTERDAY, created, said
from tests.policies.case import cases


def allowed(fleet: Fleet, *accounts: str) -> Fleet:
    return replace(fleet, allowed_accounts=accounts)


cases(
    facts_of_an_account_that_is_not_allowed=lambda: allowed(created(said(account=ACCOUNT)), "333344445555"),
    facts_that_aws_gave_of_it_does_not_say_whom=lambda: allowed(
        created(said(**YESTERDAY, account={key: value for key, value in ACCOUNT.items() if key != "id"})),
        "222233334444",
    ),
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
