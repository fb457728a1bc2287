"""What to do about answers that did not come, and about credentials that AWS does not take."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from muster.words import listed

if TYPE_CHECKING:
    from muster.account.answer import Answer
    from muster.account.faults import NoAccount

_LACKS = re.compile(r"not authorized to perform:? ([a-z0-9-]+:[A-Za-z0-9]+)")
"""As IAM's denials name the right (IAM user guide, "Access denied error messages")."""

_ADDRESS = re.compile(r"https?://[^\s\"/]+")

_PROXIES = ("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy")


def remedy(answer: "Answer") -> str:
    """What one unanswered question wants: the right that lacks, the address that is not reached; empty of others."""
    from muster.account.answer import Reason

    assert answer.unanswered is not None
    if answer.unanswered.reason is Reason.DENIED and (lacking := right(answer)):
        return f"it takes the right {lacking}"
    return ""


def right(answer: "Answer") -> str:
    """The IAM action that a denied question lacks: as AWS names it, else as the topic that asks says."""
    from muster.account.topics import TOPICS

    assert answer.unanswered is not None
    if said := _LACKS.search(answer.unanswered.words):
        return said[1]
    every = {action for topic in TOPICS for action in topic.rights}
    return next((each for each in sorted(every) if each.endswith(f":{answer.question.operation}")), "")


def advice(answers: Sequence["Answer"], policy: str, region: str) -> Iterator[str]:
    """What to do about all of them together, one line a cause.

    Args:
        answers: those that did not come.
        policy: the command that prints the rights.
        region: where was asked.
    """
    from muster.account.answer import Reason

    by: dict[Reason, list[Answer]] = {reason: [] for reason in Reason}
    for each in answers:
        if each.unanswered:
            by[each.unanswered.reason].append(each)
    if denied := by[Reason.DENIED]:
        lacking = sorted({name for each in denied if (name := right(each))})
        which = f" ({listed(lacking)})" if lacking else ""
        yield f"denied: who asks lacks rights{which}; `{policy}` prints the least policy with all that asking takes"
    if unreached := (*by[Reason.UNREACHABLE], *by[Reason.TIMED_OUT]):
        yield _unreached(unreached, region)
    if by[Reason.UNREADABLE]:
        yield _unreadable()
    if by[Reason.THROTTLED]:
        yield "throttled: others ask AWS as often as it lets this account; ask again in a minute"


def _unreached(answers: Iterable["Answer"], region: str) -> str:
    """What stands between us and an address: what is set, and what may be misspelt."""
    words = (each.unanswered.words for each in answers if each.unanswered)
    addresses = dict.fromkeys(address for each in words for address in _ADDRESS.findall(each))
    where = f"no answer from {listed(addresses)}" if addresses else "no answer from AWS"
    if ways := _ways():
        return f"not reached: {where}; look at {' and '.join(ways)}, which this shell sets, and at the Region, {region}"
    return (
        f"not reached: {where}; look at this machine's way there (a proxy is set by HTTPS_PROXY, another address by "
        f"AWS_ENDPOINT_URL; neither is), and at the Region, {region}"
    )


def _unreadable() -> str:
    """Who may have answered instead of AWS."""
    ways = _ways()
    where = f"look at {' and '.join(ways)}, which this shell sets" if ways else "look for a proxy on this machine's way"
    return f"unreadable: something between here and AWS answers, or cuts answers off; {where}, and ask again"


def _ways() -> list[str]:
    """What this shell sets of the way to AWS, without secrets."""
    from muster.account.secrets_in_addresses import shown

    names = ("AWS_ENDPOINT_URL", *_PROXIES)
    return [f"{name}={shown(value)}" for name in names if (value := os.environ.get(name))]


def no_account(fault: "NoAccount", profile: str | None) -> str:
    """Why nobody can be asked, and what to set; credentials that have expired want to be renewed."""
    from muster.account.secrets_in_addresses import shown, without_users
    from muster.account.session import HOW
    from muster.cli.terminal import one_line

    given = os.environ.get("AWS_ENDPOINT_URL", "")
    address = shown(given)
    # Without a scheme nothing but what is set tells that it is an address.
    said = without_users(str(fault).replace(given, address))
    if address and not _ADDRESS.match(address):
        return one_line(f"{said}; AWS_ENDPOINT_URL is '{address}': write it with http:// or https:// before")
    if "expired" not in said.lower():
        return one_line(said)
    named = profile or os.environ.get("AWS_PROFILE")
    if named:
        how = f"renew those of the profile '{named}': `aws sso login --profile {named}`, or as you came by them"
    else:
        how = (
            "set new ones (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN), or sign in with "
            "`aws sso login --profile PROFILE` and set AWS_PROFILE"
        )
    return one_line(f"{said.removesuffix(f'; {HOW}')}; {how}")
