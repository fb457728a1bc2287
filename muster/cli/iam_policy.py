"""`--print-iam-policy`: the least IAM policy that a command takes, of those that ask the account. It asks nothing."""

from collections.abc import Iterable
from datetime import date
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from muster.account.rights import Rights
    from muster.fleet.slurm_blueprint import AnyBlueprint
    from muster.fleet.stack_file import StackFile

PrintIamPolicy = Annotated[
    bool, typer.Option("--print-iam-policy", help="Ask nothing: print the least IAM policy that asking takes.")
]


def of_preflight(opened: "StackFile") -> None:
    """Prints what asking about a stack takes. What is still to be filled in will be asked about, too, by a name that
    nobody knows yet: there the policy names all of its kind, and that is said.

    Raises:
        typer.Exit: the stack's files have faults of form; they are told.
        WrongInput: it has add-ons only.
    """
    from muster.account.rights import rights
    from muster.account.topics import TOPICS
    from muster.cli import terminal
    from muster.cli.preflight import wanted_of
    from muster.fleet.stack_file import load_text
    from muster.fleet.stand_ins import StandIns

    wanted_of(opened)  # with its own words where it cannot be asked about
    stand_ins, file = StandIns(), opened.document.file
    text = stand_ins.filled_in(opened.document.text)
    taken = rights(TOPICS, wanted_of(load_text(opened.stack, text, file, opened.facts_file)))
    blank = stand_ins.in_use(one for on in taken.values() for one in on)
    if blank:
        terminal.complain(
            terminal.one_line(f"still to be filled in: {', '.join(blank)}; the policy has * for them until then")
        )
    _print({action: frozenset(map(stand_ins.opened, on)) for action, on in taken.items()})


def of_init() -> None:
    """Prints what choosing a new stack's parts takes, and asking about whatever stack that comes to, in any Region."""
    from muster.account.discovery.rights import OPERATIONS
    from muster.account.rights import ANY, Where, for_any_stack, of_operations
    from muster.account.topics import TOPICS

    _print(of_operations(OPERATIONS, Where(ANY)), for_any_stack(TOPICS))


def of_cost(blueprints: Iterable["AnyBlueprint"], as_of: date) -> None:
    """Prints what asking for prices of stacks takes; no statement where none of them is asked for."""
    from muster.account.price_list import REGION, questions
    from muster.account.rights import Where, of_questions
    from muster.fleet.cost import wanted

    asked = (one.question for each in blueprints for one in questions(wanted(each, as_of), each.region))
    _print(of_questions(asked, Where(REGION)))


def _print(*every: "Rights") -> None:
    from muster.account.rights import document
    from muster.cli import terminal
    from muster.cli.writers.json import dump

    terminal.write(dump(document(*every)))
