"""Whose facts they are."""

from dataclasses import replace

from muster.fleet.resources import Fleet
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
