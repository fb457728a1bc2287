"""Everything that a new stack could be for, to choose one from."""

from datetime import date

from muster.account.answer import Answer
from muster.account.discovery import reservations, training_plans
from muster.account.discovery.inquiry import Inquiry
from muster.account.identity import WHO
from muster.fleet.new_stack.held import Held


def everything(as_of: date) -> Inquiry[tuple[tuple[Held, ...], tuple[Answer, ...]]]:
    """All reservations, blocks and training plans that hold instances, now or later; and what was not answered."""
    held, plans, who = answers = yield [reservations.EVERY, training_plans.EVERY, WHO]
    account = str((who.result or {}).get("Account", ""))
    known = (*reservations.every(held.result, as_of, account), *training_plans.every(plans.result))
    return known, tuple(each for each in answers if not each.answered)
