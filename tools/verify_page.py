"""`docs/reference/verify.md`: the checks of `muster verify`, and the permissions that it needs."""

from collections.abc import Iterator

import yaml

from muster.extras.verify.checks import CHECKS
from muster.extras.verify.cluster_reader import cluster_role
from muster.extras.verify.efa import SECURITY_GROUPS, SHEETS, TRAFFIC
from tools import rules_pages

_HEAD = """# Verify a running cluster

Generated from the checks. `muster verify STACK` compares a running cluster with its description. It only reads, and
changes nothing. Default of `--kubeconfig`: the files in `$KUBECONFIG`, else `~/.kube/config`. Default of `--context`:
the current context. Each difference is a finding at the line of the description. The report lists nodes that belong to
no group, without a finding. The exit codes are those of `muster check`. If Muster cannot read the cluster, it is 2.
"""

_EFA = """## The EFA-ready list

The conditions that switch EFA off without an error, for each group with EFA. Before the cluster exists,
`muster verify --planned STACK` checks the same conditions with the rules.
"""


def page() -> str:
    """The whole page."""
    return "\n".join([_HEAD, *_checks(), _EFA, *_efa(), *_rights(), ""])


def _checks() -> Iterator[str]:
    yield "| check | what it requires | source |"
    yield "|---|---|---|"
    for check in CHECKS.values():
        yield f"| `{check.id}` | {check.title} | {check.source} |"
    yield ""


def _efa() -> Iterator[str]:
    yield "| condition | what it requires | rules, before `up` | checks, after `up` |"
    yield "|---|---|---|---|"
    for name, sheet in SHEETS.items():
        rules = ", ".join(rules_pages.link(rule) for rule in sorted(sheet.rules)) or "none: there are no pods yet"
        checks = ", ".join(f"`{check}`" for check in CHECKS if check in sheet.checks)
        yield f"| `{name}` | {sheet.title} | {rules} | {checks} |"
    yield ""
    yield "The Kubernetes API does not show two more conditions, so the report lists them as not evaluated:"
    yield ""
    yield f"- Security groups: {SECURITY_GROUPS}."
    yield f"- Traffic: {TRAFFIC}."
    yield ""


def _rights() -> Iterator[str]:
    yield "## Permissions"
    yield ""
    yield "`muster verify` lists four kinds of objects in all namespaces. It lists Deployments only if the description"
    yield "has an operator. This ClusterRole has the permissions:"
    yield ""
    yield "```yaml"
    yield yaml.safe_dump(cluster_role(), sort_keys=False).rstrip()
    yield "```"
