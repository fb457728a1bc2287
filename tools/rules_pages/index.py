"""`docs/rules/README.md`: every rule by topic, and the facts that no rule checks."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from muster.policies.coverage.documented_facts import IN_PART, NOT_ON, PREVENTED, UNJUDGEABLE
from muster.policies.engine.rule import Rule
from tools.rules_pages.facts import fact_link
from tools.rules_pages.pains import PAINS
from tools.rules_pages.sheet import BACKENDS

TOPICS = {
    "security": "Security",
    "account": "Account",
    "network": "Network",
    "control_plane": "Control plane",
    "capacity": "Capacity: reservations, Capacity Blocks, placement",
    "interfaces": "Network interfaces and EFA",
    "node_groups": "Node groups and images",
    "storage": "Storage",
    "addons": "Add-ons",
    "pods": "Pods",
    "hyperpod": "HyperPod",
    "mlflow": "MLflow",
    "parallelcluster": "ParallelCluster",
    "pcs": "AWS PCS",
}
"""The folders of rules, in the order of the page, and their titles."""

_HEAD = """# Rules

Generated from the sheets of the rules. Each rule has a page with its reason, its source, its remedy, an example that
passes, and an example that fails. `muster explain RULE` prints the sheet; `muster check` evaluates all rules.

Muster evaluates a rule only for clusters on the backends of the rule: clusters with nodes of EKS, HyperPod,
ParallelCluster or AWS PCS. For a program with several backends, it evaluates the rules of each. The facts on a page are
the sources of the rule: the documented [rules](../facts/rules.md), facts about [hardware](../facts/hardware.md) and
[add-ons](../facts/addons.md), and [reported failures](../facts/pains.md).
"""


def index(rules: Sequence[Rule]) -> str:
    """The whole page."""
    return "\n".join([_HEAD, *_counted(rules), *_listed(rules), *_pains(rules), *_unjudged(rules)])


def _counted(rules: Sequence[Rule]) -> Iterator[str]:
    yield from (
        "| rules | mandatory | advisory | " + " | ".join(BACKENDS.values()) + " |",
        "|---" * (3 + len(BACKENDS)) + "|",
    )
    mandatory = sum(each.level == "mandatory" for each in rules)
    of = (str(sum(backend in each.backends for each in rules)) for backend in BACKENDS)
    yield from (f"| {len(rules)} | {mandatory} | {len(rules) - mandatory} | {' | '.join(of)} |", "")
    topics = _by_topic(rules)
    links = (f"[{TOPICS.get(topic, topic)}](#{_anchor(TOPICS.get(topic, topic))})" for topic in topics)
    yield from (" · ".join(links), "")


def _listed(rules: Sequence[Rule]) -> Iterator[str]:
    for topic, here in _by_topic(rules).items():
        yield from (
            f"## {TOPICS.get(topic, topic)}",
            "",
            "| rule | level | severity | EKS | HyperPod | ParallelCluster |",
        )
        yield "|---|---|---|---|---|---|"
        for each in here:
            of = " | ".join("yes" if backend in each.backends else "" for backend in BACKENDS)
            yield f"| [{each.id}]({topic}/{each.id}.md): {each.title} | {each.level} | {each.severity} | {of} |"
        yield ""


def _by_topic(rules: Sequence[Rule]) -> dict[str, list[Rule]]:
    """Topics in the order of `TOPICS`. Topics that it does not contain are last."""
    found: dict[str, list[Rule]] = defaultdict(list)
    for each in rules:
        found[each.topic].append(each)
    order = [*TOPICS, *sorted(found.keys() - TOPICS.keys())]
    return {topic: found[topic] for topic in order if topic in found}


def _anchor(heading: str) -> str:
    """The anchor that GitHub makes from a heading."""
    return "".join(each for each in heading.lower().replace(" ", "-") if each.isalnum() or each == "-")


def _pains(rules: Sequence[Rule]) -> Iterator[str]:
    yield from ("## What people ran into, and what prevents it", "")
    yield from ("| failure | reported | prevented by |", "|---|---|---|")
    for fact, pain in PAINS.items():
        other = f"{PREVENTED[fact].how} (`{PREVENTED[fact].test}`)" if fact in PREVENTED else ""
        by = "; ".join(filter(None, (", ".join(_links(rules, fact)), other)))
        yield f"| {_fact(fact)}: {pain.what} | {pain.links} | {by or f'no rule: it {UNJUDGEABLE[fact]}'} |"
    yield ""


def _unjudged(rules: Sequence[Rule]) -> Iterator[str]:
    yield from ("## Documented facts that no rule checks, or only in part", "")
    yield from (
        "Some facts do not show in the plan of a cluster. Others are not about these kinds of clusters.",
        "",
    )
    yield from ("| documented fact | why | checked in part by |", "|---|---|---|")
    for fact, why in (UNJUDGEABLE | IN_PART).items():
        yield f"| {_fact(fact)} | {why} | {', '.join(_links(rules, fact))} |"
    others = {fact: each for fact, each in PREVENTED.items() if fact not in PAINS}
    for fact, each in others.items():
        yield f"| {_fact(fact)} | {each.how} (`{each.test}`) | {', '.join(_links(rules, fact))} |"
    yield from ("", "Some facts apply to a backend, but no rule checks them for clusters of that backend:", "")
    yield from ("| documented fact | backend | why |", "|---|---|---|")
    for fact, backends in NOT_ON.items():
        for backend, why in backends.items():
            yield f"| {_fact(fact)} | {BACKENDS[backend]} | {why} |"
    yield ""


def _fact(fact: str) -> str:
    return fact_link(fact, "../facts")


def _links(rules: Sequence[Rule], fact: str) -> Iterator[str]:
    """The rules of a fact."""
    return (f"[{each.id}]({each.topic}/{each.id}.md)" for each in rules if fact in each.facts)
