"""`muster pcluster validate`: everything that AWS's own package says of a stack, in its own words."""

from typing import TYPE_CHECKING, Any

import typer

from muster.cli.exits import Exit, WrongInput
from muster.cli.options import Json, Stack

if TYPE_CHECKING:
    from muster.authority.judgement import Judgement
    from muster.authority.message import Message
    from muster.cli.terminal import Style
    from muster.fleet.stack_file import StackFile


def validate(stack: Stack, *, as_json: Json = False) -> None:
    """Print what AWS's own package says of a stack's cluster: its schema, and its validators where that takes it.

    Every message is here, what it only remarks (INFO) included, and what `muster check` leaves out because a rule of
    Muster's answers it. Validators ask a stand-in of the account, filled from the description and the facts; stderr
    names those that are not run, and why. Exits 1 where `pcluster create-cluster` would stop. Needs no AWS account.
    """
    import sys

    from muster.authority.environment import NotInstalled
    from muster.authority.judgement import judge
    from muster.authority.message import Level
    from muster.authority.unasked import SUPPRESSED
    from muster.cli import terminal
    from muster.fleet.slurm_blueprint import SlurmBlueprint

    opened = _opened(stack)
    blueprint = opened.derive()
    assert isinstance(blueprint, SlurmBlueprint), "its description is a SlurmCluster"
    try:
        judgement = judge(blueprint)
    except NotInstalled as cause:
        raise WrongInput(str(cause)) from None
    if as_json:
        from muster.cli.writers.json import dump

        terminal.write(dump(_json(opened, judgement)))
    else:
        terminal.write_lines(_lines(opened, judgement, terminal.style_of(sys.stdout)))
    terminal.complain(*(f"not run: {each}: it {SUPPRESSED[each]}" for each in judgement.suppressed))
    stops = any(each.level is Level.ERROR and not each.crashed for each in judgement.messages)
    raise typer.Exit(Exit.FINDINGS if stops else Exit.CLEAN)


def _opened(stack: str) -> "StackFile":
    """A stack on ParallelCluster.

    Raises:
        typer.Exit: its form is wrong.
        WrongInput: it is on another backend.
    """
    from muster.cli.opening import description_of, open_stacks
    from muster.cli.pcluster import not_on_parallelcluster
    from muster.fleet.description import SlurmCluster

    opened = open_stacks([stack])[0]
    if not isinstance(description_of(opened), SlurmCluster):
        raise WrongInput(not_on_parallelcluster(opened))
    return opened


def _lines(opened: "StackFile", judgement: "Judgement", style: "Style") -> list[str]:
    from muster.authority.message import Level
    from muster.cli.stack_report import place_of
    from muster.cli.terminal import one_line

    paints = {Level.ERROR: style.bad, Level.WARNING: style.warn, Level.INFO: style.dim}
    lines = []
    for each in judgement.messages:
        where = place_of(opened, _field(opened, judgement, each))
        said = f"{each.validator} could not judge" if each.crashed else each.validator
        lines.append(f"{where.file}:{where.line}:{where.column}: {paints[each.level](f'{each.level} {said}')}")
        lines.append(f"    {one_line(each.text)}")
        if each.path:
            lines.append(style.dim(f"    at {each.place} of the configuration"))
    return [*lines, _summary(opened, judgement)]


def _field(opened: "StackFile", judgement: "Judgement", message: "Message") -> str:
    from muster.fleet.description import SlurmCluster
    from muster.fleet.parallelcluster.fields import field_of

    assert isinstance(opened.described, SlurmCluster), "another was refused"
    return field_of(message.path, judgement.configuration, opened.described)


def _summary(opened: "StackFile", judgement: "Judgement") -> str:
    from muster.authority.message import Level
    from muster.versions import PARALLELCLUSTER

    counts = {level: sum(each.level is level for each in judgement.messages) for level in Level}
    said = ", ".join(f"{count} {level}" for level, count in counts.items())
    ran = f"{len(judgement.ran)} kinds of validators" if judgement.ran else "the schema alone"
    return f"{opened.stack}: {said}; ParallelCluster {PARALLELCLUSTER}, {ran}, {len(judgement.suppressed)} not run"


def _json(opened: "StackFile", judgement: "Judgement") -> dict[str, Any]:
    from muster.authority.report import is_told
    from muster.authority.unasked import SUPPRESSED
    from muster.cli.report import CONTRACT
    from muster.cli.stack_report import place_of
    from muster.versions import PARALLELCLUSTER

    def where(field: str) -> dict[str, Any]:
        place = place_of(opened, field)
        return {"file": place.file, "line": place.line, "column": place.column, "path": place.path}

    return {
        "contract": CONTRACT,
        "stack": opened.stack,
        "parallelcluster": PARALLELCLUSTER,
        "messages": [
            {
                "level": each.level.value,
                "by": each.validator,
                "text": each.text,
                "key": each.place,
                "where": where(_field(opened, judgement, each)),
                "judged": not each.crashed,
                "inCheck": is_told(each),
            }
            for each in judgement.messages
        ],
        "ran": dict(sorted(judgement.ran.items())),
        "notRun": {each: SUPPRESSED[each] for each in judgement.suppressed},
    }
