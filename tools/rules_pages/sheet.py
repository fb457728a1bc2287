"""The page of one rule."""

from collections.abc import Iterator
from typing import Any

from muster import backends
from muster.policies.engine.options import options_of
from muster.policies.engine.rule import Rule
from muster.policies.sources import Citation, citations
from tools.rules_pages.example import Example
from tools.rules_pages.facts import fact_link

BACKENDS = {each.name: each.title for each in backends.every()}


def sheet(rule: Rule, example: Example) -> str:
    """The whole page of `docs/rules/TOPIC/`."""
    return "\n".join(_lines(rule, example))


def _lines(rule: Rule, example: Example) -> Iterator[str]:
    yield from (f"# {rule.id}", "", f"**{rule.title}.** {rule.why}", "")
    yield from ("| level | severity | backends | evaluates | facts |", "|---|---|---|---|---|")
    of_clusters_on = ", ".join(BACKENDS[each] for each in rule.backends)
    kinds = ", ".join(kind.__name__ for kind in rule.kinds)
    facts = ", ".join(fact_link(each, "../../facts") for each in rule.facts)
    yield from (f"| {rule.level} | {rule.severity} | {of_clusters_on} | {kinds} | {facts} |", "")
    yield from (f"**What to do.** {rule.remedy}", "")
    yield from (f"**Source.** {'; '.join(map(_cited, citations(rule.source)))}", "")
    yield from _options(rule)
    yield from ("## It passes", "", *example.passes)
    yield from ("## It fails", "", *example.fails)
    yield from ("[All rules](../README.md)", "")


def _cited(each: Citation) -> str:
    """A document with its address. For tables of Muster, only the words."""
    return f"[{each.words}]({each.url})" if each.url else each.words


def _options(rule: Rule) -> Iterator[str]:
    options = options_of(rule.options)
    if not options:
        return
    yield from (
        "## Options",
        "",
        "To set them: [Configure the rules](../../how-to/configure-rules.md).",
        "",
    )
    yield from ("| option | default | meaning |", "|---|---|---|")
    for name, said in options.items():
        yield f"| `{name}`: {_type(said)} | `{_literal(said.get('default'))}` | {said.get('description', '')} |"
    yield ""


def _type(said: Any) -> str:
    """The name of a type in JSON."""
    if "anyOf" in said:
        return " or ".join(map(_type, said["anyOf"]))
    if said.get("type") == "array":
        return f"list of {_type(said.get('items', {}))}"
    return str(said.get("type", "any"))


def _literal(value: Any) -> str:
    """A value in YAML syntax."""
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)
