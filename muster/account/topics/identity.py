"""Who asks, and where."""

from muster.account.ask import Inquiry
from muster.account.identity import WHO, account_of, identity_of
from muster.account.topic import Learned, Said, Topic, Wanted
from muster.fleet.facts import AccountFacts, Facts


def _inquire(wanted: Wanted) -> Inquiry[Learned]:
    (answer,) = yield [WHO]
    if not answer.result:
        return Learned()
    id_, who = account_of(answer), identity_of(answer)
    account = AccountFacts(id=id_, partition=who.partition if who else None, region=wanted.region)
    words = (f"account {id_}" if id_ else "", who.arn if who else "", f"in {wanted.region}")
    return Learned(Facts(account=account), (Said("identity", ", ".join(each for each in words if each)),))


IDENTITY = Topic("identity", _inquire, frozenset({"account"}))
