"""`docs/reference/parallelcluster-checks.md`: what the rules of Muster and AWS's package check on ParallelCluster."""

from collections.abc import Iterator

from muster.authority.skipped_validators import SKIPPED, SUPPRESSED
from muster.authority.validation import ANSWERED_BY_RULES
from muster.policies.coverage.parallelcluster_validators import BREAKS, SCHEMA, SCHEMA_KEYS, VALIDATORS, Answer
from muster.versions import PARALLELCLUSTER
from tools import rules_pages

_SCHEMA_KEYS = "; ".join(
    f"`{key}` if {' or '.join(map(rules_pages.link, rules))} has a finding" for key, rules in SCHEMA_KEYS.items()
)

_HEAD = f"""# Who checks what on ParallelCluster

Generated. `muster check` evaluates Muster's rules, and runs AWS's package (aws-parallelcluster {PARALLELCLUSTER}, which
`make setup` installs into a separate environment, because it requires packaging 25, and Pulumi requires 26). It runs
the schema of the package, and its validators against an account that moto simulates from the description and the
facts. Their messages become findings of `parallelcluster-schema`, `parallelcluster-validator` and
`parallelcluster-warning`, at the field that sets the refused key. `muster pcluster validate STACK` prints all messages.
If the package is not installed, `check` reports these rules as not evaluated.

`check` reports each fault once. It omits a message of a validator if a rule in the second table has a finding about the
same queue, group, file system or head node. It omits a message of the schema about {_SCHEMA_KEYS}. An error is only
omitted for a mandatory finding that is not suppressed.
"""


def page() -> str:
    """The whole page."""
    return "\n".join([_HEAD, *_breaks(), *_validators(), *_answered(), ""])


def _breaks() -> Iterator[str]:
    yield from (
        "## Named mistakes",
        "",
        "| mistake | refused by, in Muster | refused by, in AWS's package |",
        "|---|---|---|",
    )
    for name, refusal in BREAKS.items():
        ours = "the schema of the description" if refusal.ours == SCHEMA else _rule(refusal.ours)
        theirs = ", ".join("its schema" if each == SCHEMA else f"`{each}`" for each in refusal.aws)
        yield f"| {name} | {ours} | {theirs or f'not refused: {refusal.why}'} |"
    yield ""


def _validators() -> Iterator[str]:
    yield from (
        "## AWS's validators",
        "",
        "Whether `check` runs each validator, and which rules of Muster check the same before it.",
        "",
        "| validator | run | checked by Muster |",
        "|---|---|---|",
    )
    for name in sorted({*VALIDATORS, *SUPPRESSED, *SKIPPED}):
        yield f"| `{name}` | {_run(name)} | {_judged(VALIDATORS.get(name))} |"
    yield ""


def _run(name: str) -> str:
    if name in SUPPRESSED:
        return f"no: it {SUPPRESSED[name]}"
    return f"never run: {SKIPPED[name]}" if name in SKIPPED else "yes"


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
        "| validator | why it is not repeated |",
        "|---|---|",
        *(f"| `{name}` | {why} |" for name, why in ANSWERED_BY_RULES.items()),
    )


def _rule(id: str) -> str:
    return rules_pages.link(id)
