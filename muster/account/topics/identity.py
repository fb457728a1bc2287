"""Who asks, and where."""

from muster.account.identity import WHO, Identity
from muster.account.topic import Inquiry, Learned, Said, Topic, Wanted
from muster.fleet.facts import AccountFacts, Facts


def _inquire(wanted: Wanted) -> Inquiry:
    (identity,) = yield [WHO]
    if identity.result is None:
        return Learned()
    who = Identity(str(identity.result["Arn"]))
    account = AccountFacts(id=identity.result["Account"], partition=who.partition, region=wanted.region)
    return Learned(Facts(account=account), (Said("identity", f"account {account.id}, {who.arn}, in {wanted.region}"),))


IDENTITY = Topic("identity", _inquire)
