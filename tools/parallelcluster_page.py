"""`docs/parallelcluster-checks.md`: what Muster's rules and what AWS's own package refuse on ParallelCluster."""

from collections.abc import Iterator

from muster.authority.skipped_validators import SKIPPED, SUPPRESSED
from muster.authority.validation import ANSWERED_BY_RULES
from muster.versions import PARALLELCLUSTER
from policies.coverage.parallelcluster_validators import BREAKS, SCHEMA, SCHEMA_KEYS, SHAPE, VALIDATORS, Answer
from tools import rules_pages

_SCHEMA_KEYS = "; ".join(
    f"`{key}` where {' or '.join(map(rules_pages.link, rules))} has a finding" for key, rules in SCHEMA_KEYS.items()
)

_HEAD = f"""# Who checks what on ParallelCluster

Generated. `muster check` asks Muster's own rules, and AWS's package (aws-parallelcluster {PARALLELCLUSTER}, which
`make setup` installs into an environment of its own: it states packaging 25, and Pulumi states 26): its schema, and its
validators against an account that moto plays, filled from the description and the facts. What it says are findings of
`parallelcluster-schema`, `parallelcluster-validator` and `parallelcluster-warning`, at the field that the refused key
comes from. `muster pcluster validate STACK` prints all that it says. Where the package is not installed, `check` says
`not evaluated`.

One fault is reported once. `check` leaves out a message of a validator where a rule that the second table names for it
has a finding about the same queue, group, file system or head node. It leaves out a message of the schema about
{_SCHEMA_KEYS}. An error is left out for a mandatory finding alone, and for none that is suppressed.
"""


def page() -> str:
    """The whole page."""
    return "\n".join([_HEAD, *_breaks(), *_validators(), *_answered(), ""])


def _breaks() -> Iterator[str]:
    yield from (
        "## Named mistakes",
        "",
        "| mistake | Muster refuses it by | AWS's package refuses it by |",
        "|---|---|---|",
    )
    for name, refusal in BREAKS.items():
        ours = "the description's form" if refusal.ours == SHAPE else _rule(refusal.ours)
        theirs = ", ".join("its schema" if each == SCHEMA else f"`{each}`" for each in refusal.aws)
        yield f"| {name} | {ours} | {theirs or f'nothing: {refusal.why}'} |"
    yield ""


def _validators() -> Iterator[str]:
    yield from (
        "## AWS's validators",
        "",
        "Whether `check` runs each, and where Muster judges the same before AWS is asked.",
        "",
        "| validator | run | judged by Muster |",
        "|---|---|---|",
    )
    for name in sorted({*VALIDATORS, *SUPPRESSED, *SKIPPED}):
        yield f"| `{name}` | {_run(name)} | {_judged(VALIDATORS.get(name))} |"
    yield ""


def _run(name: str) -> str:
    if name in SUPPRESSED:
        return f"no: it {SUPPRESSED[name]}"
    return f"never asked: {SKIPPED[name]}" if name in SKIPPED else "yes"


def _judged(answer: Answer | None) -> str:
    if answer is None:
        return ""
    rules = ", ".join(map(_rule, answer.rules))
    why = f"{answer.by}: {answer.why}" if answer.why else ""
    return "; ".join(filter(None, (rules, why)))


def _answered() -> Iterator[str]:
    yield from (
        "## Warnings that `check` does not repeat",
        "",
        "| validator | what answers it |",
        "|---|---|",
        *(f"| `{name}` | {why} |" for name, why in ANSWERED_BY_RULES.items()),
    )


def _rule(id: str) -> str:
    return rules_pages.link(id)
