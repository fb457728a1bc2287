"""The caller identity: the query, and the parts of the ARN in STS's answer. Pure."""

from dataclasses import dataclass

from muster.account.query import Answer, Inquiry, Query
from muster.account.topic import PreflightRequest, Topic
from muster.fleet.facts import AccountFacts, Facts

GET_CALLER_IDENTITY = Query("sts", "GetCallerIdentity", "identity")
"""Several topics need it; the query runner runs it once. It needs no IAM permission."""

_PARTS = 6


@dataclass(frozen=True, slots=True)
class Identity:
    """A caller."""

    arn: str

    @property
    def partition(self) -> str:
        """``aws``."""
        return self._parts[1]

    @property
    def account(self) -> str:
        """Twelve digits."""
        return self._parts[4]

    @property
    def role(self) -> str | None:
        """The name of the assumed role; None for other identities."""
        kind, _, rest = self._parts[5].partition("/")
        return rest.partition("/")[0] if kind == "assumed-role" else None

    @property
    def user(self) -> bool:
        """Whether it is an IAM user."""
        return self._parts[5].startswith("user/")

    @property
    def _parts(self) -> list[str]:
        return self.arn.split(":", _PARTS - 1)


def identity_of(who: Answer) -> Identity | None:
    """The caller, from the answer to `GET_CALLER_IDENTITY`; None without an ARN in it."""
    arn = (who.result or {}).get("Arn")
    return Identity(str(arn)) if arn and str(arn).count(":") >= _PARTS - 1 else None


def account_of(who: Answer) -> str | None:
    """The caller's account, from the answer or from the ARN in it; None if neither has it."""
    account, identity = (who.result or {}).get("Account"), identity_of(who)
    return str(account) if account else identity.account if identity else None


def _inquire_identity(wanted: PreflightRequest) -> Inquiry[Facts]:
    (answer,) = yield [GET_CALLER_IDENTITY]
    if not answer.result:
        return Facts()
    who = identity_of(answer)
    partition = who.partition if who else None
    return Facts(account=AccountFacts(id=account_of(answer), partition=partition, region=wanted.region))


IDENTITY = Topic("identity", "The identity and the account of the caller.", _inquire_identity, frozenset({"account"}))
