"""`docs/reference/preflight.md`: the queries to an account, and the permissions that they need."""

import json
from collections.abc import Iterator

from muster.account.iam_policy import document, rights_for_any_stack
from muster.account.preflight import TOPICS
from muster.account.query import MAX_PAGES
from muster.account.query_runner import TIMEOUT_SECONDS
from muster.account.session import ATTEMPTS, CONNECT_SECONDS, MAX_PARALLEL_QUERIES, READ_SECONDS
from muster.account.topic import Topic

_BOUNDS = (
    f"At most {MAX_PARALLEL_QUERIES} queries run at the same time. Each call has {ATTEMPTS} attempts, with "
    f"{CONNECT_SECONDS} seconds to connect\n  and {READ_SECONDS} seconds to read. If an answer has more than "
    f"{MAX_PAGES} pages, or is not complete {TIMEOUT_SECONDS:g} seconds after\n  the start of the first query, the "
    "query counts as a query without an answer. The last line of the output has the\n  numbers of queries and calls."
)

_HEAD = f"""# Query the account

Generated from the topics of queries. `muster preflight STACK` queries AWS about everything that a stack names or
needs, and evaluates the rules of `muster check` with the answers. It is read-only. `--save` writes the answers to
`stacks/facts/STACK.json`. From then on `check`, `plan`, `pulumi up` and the policy pack use these facts. The file has
the date of the queries; after a week, `facts-fresh` reports it as old. `--json` prints everything, `--profile` selects
a profile of `~/.aws/config`, and `AWS_ENDPOINT_URL` sets another address than that of AWS.

- **A query without an answer never counts as passed.** AWS may deny a query, throttle it or time out, or Muster may not
  be able to read the answer (the page of a proxy, or an answer that is cut off). The report lists such a query with the
  message of AWS and what to do. The rules that need the answer are not evaluated, and `--strict` exits with 4. Muster
  does not use an older answer in that run.
- **`--save` keeps what is still needed.** An answer replaces the fact in the file. If a query has no answer, its old
  fact stays, with the date of the old answer (`kept`), or without a date if a person wrote it. `check` uses it, and
  `facts-fresh` reports when it is old. Facts that a person wrote, and that Muster does not query, stay as well. Answers
  that the stack no longer needs are removed. The command prints what it kept, replaced and removed. Facts with schema
  errors, or of another account or Region, go to a copy, `STACK.json.old`. Muster checks that it can write the file
  before it queries AWS.
- **It has limits.** {_BOUNDS}
- **Muster does not query placeholders**, or what the stack itself creates.
- The exit codes are those of `muster check`. If there are no credentials, the command prints what to set and exits
  with 2.

## Queries

| topic | query | permissions |
|---|---|---|
"""


def page() -> str:
    """The whole page."""
    return _HEAD + "\n".join([*map(_row, TOPICS), "", *_policy(), ""])


def _row(topic: Topic) -> str:
    rights = ", ".join(f"`{action}`" for action in sorted(topic.rights)) or "none"
    return f"| {topic.name} | {topic.about} | {rights} |"


def _policy() -> Iterator[str]:
    yield "## Permissions"
    yield ""
    yield (
        "`muster preflight STACK --print-iam-policy` prints the minimal policy for one stack. It allows the queries\n"
        "of the stack, and the queries that can follow from the answers. It restricts an action to an ARN if IAM\n"
        "supports that. `muster init --print-iam-policy`, without a name, and `muster cost STACK --print-iam-policy`\n"
        "print the policies of those commands. A preflight of any stack needs this policy:"
    )
    yield ""
    yield "```json"
    yield json.dumps(document(rights_for_any_stack(TOPICS)), indent=2)
    yield "```"
