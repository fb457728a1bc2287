"""Facts of the account that was asked."""

from muster.fleet.description.identifiers import AccountId
from muster.fleet.facts.fact import Fact, a_fact


class AccountFacts(Fact):
    """Who was asked, and where: facts of one account say nothing of another."""

    id: AccountId | None = a_fact("Account, of `GetCallerIdentity`")
    partition: str | None = a_fact("The partition in its ARN, as in aws, aws-cn, aws-us-gov")
    region: str | None = a_fact("The Region that was asked")
