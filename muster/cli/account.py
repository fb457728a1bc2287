"""The AWS account, for the commands that query it: session, options, and advice about unanswered queries."""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from muster import terminal
from muster.cli.exits import WrongInput
from muster.message_text import list_names

if TYPE_CHECKING:
    from muster.account.query import Answer
    from muster.account.query_runner import QueryRunner

Profile = Annotated[
    str | None,
    typer.Option(
        "--profile", metavar="NAME", help="Profile of ~/.aws/config. Default: $AWS_PROFILE.", show_default=False
    ),
]


@contextmanager
def open_account(region: str, profile: str | None, what: str, *, instead: str = "") -> Iterator["QueryRunner"]:
    """A runner of queries to the account. On a terminal, a line of stderr counts the answers.

    Args:
        region: the Region to query.
        profile: a profile of ~/.aws/config; None for $AWS_PROFILE.
        what: the start of that line: ``querying AWS about p5-odcr``.
        instead: an alternative for the message about missing credentials.

    Raises:
        WrongInput: there are no credentials, or AWS does not accept them.
    """
    from muster.account.query_runner import QueryRunner
    from muster.account.session import NoAccount, Session

    try:
        tell = _counter(what) if terminal.is_error_terminal() else None
        yield QueryRunner(Session(region, profile), tell)
    except NoAccount as fault:
        raise WrongInput(f"{explain_no_account(fault, profile)}{instead}") from None
    finally:
        terminal.show_status("")


def _counter(what: str) -> Callable[[int, int], None]:
    def tell(answered: int, of: int) -> None:
        terminal.show_status(f"{what}: {answered} of {of} answered")

    return tell


def unanswered_lines(answers: Iterable["Answer"]) -> Iterator[str]:
    """One line for each unanswered query: the query, the reason, and the remedy."""
    from muster.account.query import explain_no_answer

    for each in answers:
        wants = f"; {wanted}" if (wanted := remedy(each)) else ""
        yield f"{explain_no_answer(each)}{wants}"


if TYPE_CHECKING:
    from muster.account.query import Answer
    from muster.account.session import NoAccount

_LACKS = re.compile(r"not authorized to perform:? ([a-z0-9-]+:[A-Za-z0-9]+)")
"""The missing action in IAM's error messages (IAM user guide, "Access denied error messages")."""

_ADDRESS = re.compile(r"https?://[^\s\"/]+")

_PROXIES = ("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy")


def remedy(answer: "Answer") -> str:
    """The remedy for an unanswered query: the missing permission if it was denied; else empty."""
    from muster.account.query import UnansweredReason

    assert answer.unanswered is not None
    if answer.unanswered.reason is UnansweredReason.DENIED and (lacking := missing_right(answer)):
        return f"it needs the permission {lacking}"
    return ""


def missing_right(answer: "Answer") -> str:
    """The IAM action that a denied query lacks: the action in AWS's message, else the action of the same operation.
    Empty if neither has one."""
    from muster.account.iam_policy import ACTIONS

    assert answer.unanswered is not None
    if found := _LACKS.search(answer.unanswered.words):
        return found[1]
    return next((each for each in ACTIONS if each.endswith(f":{answer.question.operation}")), "")


def advice(answers: Sequence["Answer"], policy: str, region: str) -> Iterator[str]:
    """The remedies for unanswered queries, one line for each cause.

    Args:
        answers: the unanswered queries.
        policy: the command that prints the IAM policy.
        region: the Region of the queries.
    """
    from muster.account.query import UnansweredReason

    by: dict[UnansweredReason, list[Answer]] = {reason: [] for reason in UnansweredReason}
    for each in answers:
        if each.unanswered:
            by[each.unanswered.reason].append(each)
    if denied := by[UnansweredReason.DENIED]:
        lacking = sorted({name for each in denied if (name := missing_right(each))})
        which = f" ({list_names(lacking)})" if lacking else ""
        yield f"denied: your credentials lack permissions{which}; `{policy}` prints the policy for all queries"
    if unreached := (*by[UnansweredReason.UNREACHABLE], *by[UnansweredReason.TIMED_OUT]):
        yield _unreached(unreached, region)
    if by[UnansweredReason.UNREADABLE] or by[UnansweredReason.INCOMPLETE]:
        yield _unreadable()
    if by[UnansweredReason.THROTTLED]:
        yield "throttled: this account has reached AWS's request limit; try again in a minute"


def _unreached(answers: Iterable["Answer"], region: str) -> str:
    """Advice about unreachable addresses: the variables of proxy and endpoint that are set, and the Region."""
    words = (each.unanswered.words for each in answers if each.unanswered)
    addresses = dict.fromkeys(address for each in words for address in _ADDRESS.findall(each))
    where = f"no answer from {list_names(addresses)}" if addresses else "no answer from AWS"
    if ways := _ways():
        return f"not reached: {where}; check {' and '.join(ways)}, set in this shell, and the Region, {region}"
    return (
        f"not reached: {where}; check this machine's network (neither HTTPS_PROXY, for a proxy, nor AWS_ENDPOINT_URL, "
        f"for another address, is set), and the Region, {region}"
    )


def _unreadable() -> str:
    """Advice about answers that are not AWS's: the variables of proxy and endpoint that are set."""
    ways = _ways()
    where = f"check {' and '.join(ways)}, set in this shell" if ways else "check the network for a proxy"
    return f"unreadable: something between this machine and AWS changes or truncates answers; {where}, and try again"


def _ways() -> list[str]:
    """The set environment variables of endpoint and proxy, as ``NAME=VALUE`` without user names and passwords."""
    from muster.account.session import mask_user

    names = ("AWS_ENDPOINT_URL", *_PROXIES)
    return [f"{name}={mask_user(value)}" for name in names if (value := os.environ.get(name))]


def explain_no_account(fault: "NoAccount", profile: str | None) -> str:
    """Why the account cannot be queried, and what to set; for expired credentials, how to renew them."""
    from muster.account.session import CREDENTIALS_HELP, mask_user, mask_users

    given = os.environ.get("AWS_ENDPOINT_URL", "")
    address = mask_user(given)
    # Without a scheme, only the variable shows that this part of the text is an address.
    message = mask_users(str(fault).replace(given, address))
    if address and not _ADDRESS.match(address):
        return f"{message}; AWS_ENDPOINT_URL is '{address}': add http:// or https:// before it"
    if "expired" not in message.lower():
        return message
    named = profile or os.environ.get("AWS_PROFILE")
    if named:
        how = f"renew those of the profile '{named}': `aws sso login --profile {named}`, or the way that you got them"
    else:
        how = (
            "set new ones (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN), or sign in with "
            "`aws sso login --profile PROFILE` and set AWS_PROFILE"
        )
    return f"{message.removesuffix(f'; {CREDENTIALS_HELP}')}; {how}"
