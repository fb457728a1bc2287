"""Everything that a new stack could be for, to choose one from."""

from datetime import date

from muster.account.answer import Answer
from muster.account.ask import Inquiry
from muster.account.discovery import reservations, training_plans
from muster.account.identity import WHO, account_of
from muster.fleet.new_stack.held import Held


def everything(as_of: date) -> Inquiry[tuple[tuple[Held, ...], tuple[Answer, ...]]]:
    """All reservations, blocks and training plans that hold instances, now or later; and what was not answered."""
    held, plans, who = yield [reservations.EVERY, training_plans.EVERY, WHO]
    held, plans = answers = (reservations.told(held), training_plans.told(plans))
    account = account_of(who) or ""
    known = (*reservations.every(held.result, as_of, account), *training_plans.every(plans.result))
    return known, tuple(each for each in (*answers, who) if not each.answered)
