"""Who asks, and where."""

from muster.account.question import Question
from muster.account.topic import Inquiry, Learned, Said, Topic, Wanted
from muster.fleet.facts import AccountFacts, Facts

_ARN_PARTS = 6


def _inquire(wanted: Wanted) -> Inquiry:
    (identity,) = yield [Question("sts", "GetCallerIdentity", "identity")]
    if identity.result is None:
        return Learned()
    arn = str(identity.result["Arn"])
    account = AccountFacts(id=identity.result["Account"], partition=arn.split(":", _ARN_PARTS)[1], region=wanted.region)
    return Learned(Facts(account=account), (Said("identity", f"account {account.id}, {arn}, in {wanted.region}"),))


IDENTITY = Topic("identity", _inquire)  # every identity may ask who it is: IAM knows no right for it
