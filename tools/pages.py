"""Writes the generated pages of the documentation, from the templates in `tools/templates/`. The site has these pages;
git does not."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from muster import child_process
from muster.account.preflight import TOPICS as QUERIES
from muster.account.preflight import iam_policy
from muster.addon_sheets import ADDONS
from muster.addons.catalogue import CATALOGUE
from muster.addons.installation_order import BEFORE_NODES, KINDS, OF_EKS
from muster.cli.writers import json_schema
from muster.hardware import huge_pages
from muster.hardware.allocatable import max_pods
from muster.hardware.catalogue import Accelerator, Hardware, Incomplete, accelerated_types, hardware, instance_types
from muster.hardware.interfaces import Layout, slots
from muster.policies.engine.rule import Sheet
from muster.policies.engine.rule_index import sheets
from muster.stack.project import open_stack, stack_file, stacks
from muster.verify.checks import CHECKS
from muster.verify.cluster_reader import cluster_role
from muster.verify.efa import SECURITY_GROUPS, TRAFFIC
from tests.corpus import BROKEN, Entry, entries

ROOT = Path(__file__).resolve().parent.parent
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
_EXAMPLES = 3
"""Most entries of the corpus on the page of a rule."""
_WORDS = 40
"""Most words of a choice on the page of the description: there are a thousand instance types."""


def write(folder: Path) -> None:
    """Writes every page below the folder of the documentation."""
    templates = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701  (the pages are Markdown)
    )
    templates.filters.update(_FILTERS)
    for name, context in _CONTEXTS.items():
        _save(folder / name, templates.get_template(name).render(context()))
    page = templates.get_template("rules/rule.md")
    for rule in sheets():
        shown = list(map(_text, _shown(rule)))
        _save(folder / "rules" / rule.topic / f"{rule.id}.md", page.render(rule=_rule(rule), entries=shown))


def _save(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text.rstrip() + "\n", encoding="utf-8")


def rules() -> Mapping[str, Any]:
    """The rules, and the titles of their topics by folder."""
    used = {each.topic for each in sheets()}
    return {
        "rules": sheets(),
        "topics": {topic: TOPICS.get(topic, topic) for topic in (*TOPICS, *used - {*TOPICS}) if topic in used},
    }


def _rule(rule: Sheet) -> Mapping[str, Any]:
    return {
        name: getattr(rule, name)
        for name in ("id", "title", "why", "level", "severity", "backends", "remedy", "source")
    } | {"options": rule.documented_options}


def _shown(rule: Sheet) -> list[Entry]:
    """The shortest entries that the rule finds, those that only it finds first."""
    found = [each for each in entries(BROKEN) if rule.id in each.finds]
    return sorted(found, key=lambda each: (len(each.finds), len(_text(each)), each.name))[:_EXAMPLES]


def _text(entry: Entry) -> str:
    return (ROOT / entry.file).read_text(encoding="utf-8").rstrip()


def _hardware() -> Mapping[str, Any]:
    every = map(hardware, instance_types())
    return {
        "accelerated": list(map(hardware, accelerated_types())),
        "with_efa": [row for row in every if row.max_efa and row.accelerator is Accelerator.NONE],
    }


def _pods(row: Hardware) -> str:
    try:
        return str(max_pods(row, slots(row, Layout.AWS)))
    except Incomplete:
        return "-"


def _stacks() -> Mapping[str, Any]:
    return {"stacks": list(map(_stack, stacks(ROOT)))}


def _stack(name: str) -> Mapping[str, Any]:
    blueprint = open_stack(ROOT, name).derive()
    lines = stack_file(ROOT, name).read_text(encoding="utf-8").splitlines()
    head = " ".join(
        each.removeprefix("#").strip() for each in lines[1 : lines.index("config:")] if each.startswith("#")
    )
    return {
        "name": name,
        "backend": blueprint.backend,
        "types": list(dict.fromkeys(group.node.hardware.instance for group in blueprint.groups)),
        "summary": re.split(r"(?<=[A-Za-z0-9)])\.(?: |$)", head, maxsplit=1)[0].replace("|", "\\|") + ".",
    }


def _commands() -> Mapping[str, Any]:
    """What Typer's own command writes about every command."""
    told = child_process.run(
        [child_process.PYTHON, "-m", "typer", "muster.cli.main", "utils", "docs", "--name", "muster"]
    )
    told.check_returncode()
    return {"commands": re.sub(r"^#", "##", told.stdout, flags=re.MULTILINE)}


def _outputs() -> Mapping[str, Any]:
    wholes = {name: schema() for name, schema in json_schema.OUTPUTS.items()}
    return {
        "outputs": {**wholes, **{name: block for whole in wholes.values() for name, block in whole["$defs"].items()}}
    }


def _form(schema: Any) -> str:
    """The type of a value in a JSON Schema."""
    if not schema or schema is True:
        return "any value"
    if "if" in schema:
        return f"{_form(schema['then'])} or {_form(schema['else'])}"
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(_form(each) for each in schema["anyOf"] if each.get("type") != "null")
    if "const" in schema or "enum" in schema:
        words = schema.get("enum", [schema.get("const")])
        return ", ".join(f"`{each}`" for each in words) if len(words) <= _WORDS else "text"
    if schema["type"] == "array":
        return f"list of {_form(schema['items'])}"
    if schema["type"] == "object":
        own = schema.get("patternProperties", {}).values()
        return f"map of {_form(next(iter(own), schema.get('additionalProperties')))}"
    return {"string": "text", "integer": "number", "number": "number", "boolean": "true or false"}[schema["type"]]


def _description() -> Mapping[str, Any]:
    return {"blocks": json_schema.description()["$defs"]}


def _default(field: Mapping[str, Any]) -> str:
    value = field.get("default")
    if value in (None, {}, []):
        return "-"
    return "its defaults" if isinstance(value, dict) else f"`{json.dumps(value)}`".replace('"', "")


def _addons() -> Mapping[str, Any]:
    return {
        "catalogue": CATALOGUE,
        "pins": ADDONS,
        "kinds": {name: KINDS[type(each.source)] for name, each in CATALOGUE.items()},
        "order": list(_order()),
    }


def _order() -> Iterator[tuple[str, str, str]]:
    """What is installed after what, and why."""
    for name, why in BEFORE_NODES.items():
        yield "the nodes", f"`{name}`", why
    before = {name: after for name, (_, after) in OF_EKS.items()}
    for name, addon in CATALOGUE.items():
        before[name] = {**addon.after, **addon.needs}
        if addon.before_nodes:
            yield "HyperPod's nodes", f"`{name}`", addon.before_nodes
        if addon.last:
            yield f"`{name}`", "all others", addon.last
    for name, others in before.items():
        for why in dict.fromkeys(others.values()):
            yield f"`{name}`", ", ".join(f"`{other}`" for other in others if others[other] == why), why


def _verify() -> Mapping[str, Any]:
    return {
        "checks": CHECKS,
        "not_evaluated": {"security_groups": SECURITY_GROUPS, "traffic": TRAFFIC},
        "cluster_role": yaml.safe_dump(cluster_role(), sort_keys=False).rstrip(),
    }


def _preflight() -> Mapping[str, Any]:
    return {"topics": QUERIES, "iam_policy": json.dumps(iam_policy(), indent=2)}


_CONTEXTS: Mapping[str, Callable[[], Mapping[str, Any]]] = {
    "rules/README.md": rules,
    "reference/addons.md": _addons,
    "reference/cli.md": _commands,
    "reference/description.md": _description,
    "reference/hardware.md": _hardware,
    "reference/outputs.md": _outputs,
    "reference/preflight.md": _preflight,
    "reference/stacks.md": _stacks,
    "reference/verify.md": _verify,
}
"""The path of each page below `docs/`, which its template has too, and what the template needs."""

_FILTERS: Mapping[str, Callable[..., str]] = {
    "cell": lambda text: " ".join((text or "").split()).replace("|", "\\|"),
    "code": lambda text: f"`{text}`",
    "default_of": _default,
    "form": _form,
    "huge_pages": lambda row: str(huge_pages.default_for(row.max_efa).mib),
    "interfaces": lambda row: str(len(slots(row, Layout.AWS))),
    "minors": lambda ends: f"{ends[0]} to {ends[1]}" if ends[1] else f"{ends[0]} and newer",
    "number": lambda value: "-" if value is None else f"{value:g}",
    "oneline": lambda text: " ".join(text.split()),
    "pods": _pods,
}
