"""Every format of a few reports, and rehearsals as text: `tests/golden/reports.txt`, which `make goldens` writes."""

from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import replace
from io import StringIO
from pathlib import Path

from muster import __version__
from muster.cli.findings import Report, StackReport, Where
from muster.cli.writers import github, json, junit, markdown, sarif, text
from muster.cli.writers.rehearsal import text_parts
from muster.rehearsal.outcome import Outcome, PodReport, PodState, Unit, Verdict
from muster.terminal import Style
from tests.cli.rehearsals import FULL, a_drill, a_node, a_pod, an_outcome, large, one_too_few
from tests.cli.reports import FORM, SMALL, ZONE

FILE = Path("tests/golden/reports.txt")

_STACK = SMALL.stacks[0]
_NOWHERE = replace(ZONE, where=Where("", 0, 0, ""), resource="")

REPORTS = {
    "findings, one suppressed, one not evaluated": SMALL,
    "a fault of form": FORM,
    "a bug": replace(FORM, bugs=("a law is broken",)),
    "what the baseline has": Report((replace(_STACK, findings=(), known=_STACK.findings),)),
    "a finding without a place": Report((StackReport("dev", findings=(_NOWHERE,)),)),
    "files elsewhere": Report(
        (
            StackReport(
                "dev",
                findings=tuple(
                    replace(ZONE, where=replace(ZONE.where, file=file))
                    for file in ("/else where/Pulumi.a.yaml", "stacks/Pulumi.ä b.yaml")
                ),
            ),
        )
    ),
}

_TOO_MUCH = replace(FULL, id="more-than-a-node-has")
_SHARES = tuple(PodReport(f"job ({number})", "node", PodState.RUNNING, f"n{number}") for number in range(4))
_SLURM = an_outcome(pods=_SHARES, kubernetes="", slurm="22.05.8", unit=Unit.NODE)
_LATE = {name: tuple(replace(each, state=PodState[name]) for each in _SHARES) for name in ("WAITING", "NOT_CREATED")}

REHEARSALS: dict[str, Outcome] = {
    "it starts": an_outcome(),
    "one of three is not created": an_outcome(pods=(a_pod(0), a_pod(1), a_pod(2, PodState.NOT_CREATED))),
    "it has no pods": an_outcome(verdict=Verdict.DOES_NOT_START, pods=()),
    "five wait for one cause": one_too_few(5),
    "a request of the job's file is the cause": replace(
        one_too_few(),
        waiting=tuple(replace(each, cause=_TOO_MUCH) for each in one_too_few().waiting),
        requests_at={("worker", FULL.sums[0].resource): "job.yaml:9:13"},
    ),
    "the API server refuses it": replace(
        one_too_few(), waiting=tuple(replace(each, speaker="the API server") for each in one_too_few().waiting)
    ),
    "drills that end badly, and one that does not": an_outcome(
        drills=tuple(a_drill(name=f"lose-nodes {number}", running_at_last=4 - number) for number in (1, 0, 4))
    ),
    "a grid of many nodes, of which one is lost": an_outcome(
        nodes=(*(a_node(number, ultraserver=f"us-{number // 18}") for number in range(36)), *large(64).nodes),
        drills=(a_drill(lost=(a_node(20).name,)),),
    ),
    "a Slurm job has nodes and no pods": _SLURM,
    "a Slurm job that waits": replace(_SLURM, verdict=Verdict.DOES_NOT_START, pods=_LATE["WAITING"]),
    "a Slurm job that is refused": replace(_SLURM, verdict=Verdict.DOES_NOT_START, pods=_LATE["NOT_CREATED"]),
}
WHERE = {FULL.where: Where("stacks/Pulumi.p5-odcr.yaml", 14, 9, FULL.where)}


def page() -> str:
    """The text of the golden file; tables are as wide as in a pipe."""
    with redirect_stdout(StringIO()):
        return "\n".join(_parts()).replace(__version__, "VERSION")


def _parts() -> Iterator[str]:
    for title, report in REPORTS.items():
        yield f"# {title}: exit code {report.exit()}\n"
        yield "".join(f"{line}\n" for line in text.lines(report, Style(verbose=True)))
        yield from (writer.write(report) for writer in (github, json, junit, markdown, sarif))
    for title, outcome in REHEARSALS.items():
        yield f"# {title}\n"
        yield "".join(text_parts(outcome, WHERE, Style()))
