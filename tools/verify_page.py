"""`docs/verify.md`: the checks of `muster verify`, and the rights that it needs."""

from collections.abc import Iterator

import yaml

from muster.extras.verify.checks import CHECKS
from muster.extras.verify.cluster_reader import cluster_role
from muster.extras.verify.efa import SECURITY_GROUPS, SHEETS, TRAFFIC
from tools import rules_pages

_HEAD = """# A look at a cluster

Generated from the checks. `muster verify STACK` compares a cluster that runs with its description; it reads, and
changes nothing. The kubeconfig is that of `--kubeconfig FILE`, else of `$KUBECONFIG`, else `~/.kube/config`; the
context is `--context NAME`, else the current one. What is not as described is a finding at the line that describes
it; nodes of no group of the description are told, not faulted. Exit codes are those of `muster check`; a cluster that
cannot be read is wrong input, 2.
"""

_EFA = """## The EFA-ready list

What switches EFA off without an error, for each group that has it. `muster verify --planned STACK` judges the same
before there is a cluster, by the rules.
"""


def page() -> str:
    """The whole page."""
    return "\n".join([_HEAD, *_checks(), _EFA, *_efa(), *_rights(), ""])


def _checks() -> Iterator[str]:
    yield "| check | what it asks | source |"
    yield "|---|---|---|"
    for check in CHECKS.values():
        yield f"| `{check.id}` | {check.title} | {check.source} |"
    yield ""


def _efa() -> Iterator[str]:
    yield "| condition | what it says | rules, before | checks, after |"
    yield "|---|---|---|---|"
    for name, sheet in SHEETS.items():
        rules = ", ".join(rules_pages.link(rule) for rule in sorted(sheet.rules)) or "none: there is no pod"
        checks = ", ".join(f"`{check}`" for check in CHECKS if check in sheet.checks)
        yield f"| `{name}` | {sheet.title} | {rules} | {checks} |"
    yield ""
    yield "Two things no list of Kubernetes shows; they are always told as not evaluated."
    yield ""
    yield f"- Security groups: {SECURITY_GROUPS}."
    yield f"- Traffic: {TRAFFIC}."
    yield ""


def _rights() -> Iterator[str]:
    yield "## Rights"
    yield ""
    yield "It lists four kinds in the whole cluster (Deployments where the description has an operator). Enough is:"
    yield ""
    yield "```yaml"
    yield yaml.safe_dump(cluster_role(), sort_keys=False).rstrip()
    yield "```"
