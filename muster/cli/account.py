"""What the commands that ask an account share: who asks, and what to say of answers that did not come."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from muster.cli.exits import WrongInput

if TYPE_CHECKING:
    from muster.account.answer import Answer
    from muster.account.asking import Asker

Profile = Annotated[
    str | None,
    typer.Option(
        "--profile", metavar="NAME", help="A profile of ~/.aws/config; $AWS_PROFILE without.", show_default=False
    ),
]


@contextmanager
def asker(
    region: str, profile: str | None, what: str, *, earlier: "Asker | None" = None, instead: str = ""
) -> Iterator["Asker"]:
    """Who asks the account, with a line on a terminal that counts the answers.

    Args:
        region: where.
        profile: of ~/.aws/config; $AWS_PROFILE without.
        what: for people: ``asking AWS about p5-odcr``.
        earlier: who asked before, in the same Region: what it was answered is not asked again.
        instead: what else helps where there are no credentials.

    Raises:
        WrongInput: there are no credentials, or AWS does not take them.
    """
    from muster.account.asking import Asker
    from muster.account.faults import NoAccount
    from muster.account.session import Session
    from muster.cli.silence import no_account

    try:
        tell = _counter(what) if sys.stderr.isatty() else None
        if earlier is None:
            yield Asker(Session(region, profile), tell)
        else:
            yield Asker(earlier.session, tell, answers=dict(earlier.answers))
    except NoAccount as fault:
        raise WrongInput(f"{no_account(fault, profile)}{instead}") from None
    finally:
        if sys.stderr.isatty():
            sys.stderr.write("\r\x1b[K")


def _counter(what: str) -> Callable[[int, int], None]:
    def tell(answered: int, of: int) -> None:
        sys.stderr.write(f"\r\x1b[K{what}: {answered} of {of} answered")
        sys.stderr.flush()

    return tell


def unanswered(answers: Iterable["Answer"]) -> Iterator[str]:
    """What was not answered, why, and what it wants: one line each."""
    from muster.account.answer import said_nothing
    from muster.cli.silence import remedy
    from muster.cli.terminal import one_line

    for each in answers:
        wants = f"; {wanted}" if (wanted := remedy(each)) else ""
        yield one_line(f"{said_nothing(each)}{wants}")
