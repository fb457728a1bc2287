"""`docs/preflight.md`: the queries to an account, and the rights that they take."""

import json
from collections.abc import Iterator

from muster.account.iam_policy import document, rights_for_any_stack
from muster.account.preflight import TOPICS
from muster.account.query import MAX_PAGES
from muster.account.query_runner import TIMEOUT_SECONDS
from muster.account.session import ATTEMPTS, CONNECT_SECONDS, MAX_PARALLEL_QUERIES, READ_SECONDS
from muster.account.topic import Topic

_BOUNDS = (
    f"{MAX_PARALLEL_QUERIES} questions side by side, {ATTEMPTS} attempts each, {CONNECT_SECONDS} seconds to connect\n"
    f"  and {READ_SECONDS} to read, {MAX_PAGES} pages an answer, {TIMEOUT_SECONDS:g} seconds for all. "
    "The last line says how many\n  questions and calls it were."
)

_HEAD = f"""# Ask the account

Generated from the topics. `muster preflight STACK` asks AWS about everything that a stack names or needs, and judges
the stack by the answers, with the rules of `muster check`. It reads, and changes nothing. `--save` writes the answers
to `stacks/facts/STACK.json`, by which `check`, `plan`, `pulumi up` and the policy pack judge from then on; the file
says when AWS was asked, and is found to be old after a week (`facts-fresh`). `--json` prints all of it, `--profile`
takes a profile of `~/.aws/config`, and `AWS_ENDPOINT_URL` another address than AWS's.

- **What AWS does not answer is never taken for fine.** A question without the right to ask it, one that is throttled,
  that times out, or whose answer cannot be read (a proxy's page, an answer that is cut off) is listed as not answered,
  with AWS's words and what to do; the rules that need it say "not evaluated"; `--strict` then exits 4. No older answer
  stands in for it in that run.
- **`--save` loses nothing that is still asked about.** What AWS answered takes the place of what stood in the file;
  what it was asked and did not answer stays, with the day on which AWS said it (`kept`), or with none where a person
  wrote it: `check` judges by it, and `facts-fresh` says when it is old. What a person wrote of which AWS was not asked
  stays, too. What AWS once said and was not asked any more, or answered without, as of a right that the stack no
  longer takes, is left out. What was kept, replaced and left out is printed. Facts whose form is wrong, or of another
  account or Region, are kept whole in a copy, `STACK.json.old`. A file that cannot be written is found before anything
  is asked.
- **It is bounded.** {_BOUNDS}
- **What is still to be filled in is not asked**, nor what the stack itself makes.
- Exit codes are those of `muster check`. Without credentials it says what to set, and exits 2.

## What is asked

| topic | what is asked | rights |
|---|---|---|
"""


def page() -> str:
    """The whole page."""
    return _HEAD + "\n".join([*map(_row, TOPICS), "", *_policy(), ""])


def _row(topic: Topic) -> str:
    rights = ", ".join(f"`{action}`" for action in sorted(topic.rights)) or "none"
    return f"| {topic.name} | {topic.about} | {rights} |"


def _policy() -> Iterator[str]:
    yield "## Rights"
    yield ""
    yield (
        "`muster preflight STACK --print-iam-policy` prints the least policy for one stack: for the questions that it\n"
        "has, and those that their answers may lead to, by ARN where IAM knows one. `muster init\n"
        "--print-iam-policy`, without a name, and `muster cost STACK --print-iam-policy` print theirs. For any stack\n"
        "a preflight takes:"
    )
    yield ""
    yield "```json"
    yield json.dumps(document(rights_for_any_stack(TOPICS)), indent=2)
    yield "```"
