"""What a program registers, written as a Terraform plan or state.

Terraform's providers cannot be had here, so the JSON is written from the registrations of Muster's own stacks, with the
names and forms of the provider's schema (`muster/sources/terraform/types.json`), in the form of Terraform's "JSON
Output Format". The shape of a plan was compared with one of Terraform 1.11 for `terraform_data` resources.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from muster.fleet.registration import Registration
from muster.fleet.resources import Ref
from muster.sources.terraform.types import NAMES, Properties, resource_type
from muster.unknown import UNKNOWN, has_unknown
from tests.sources.terraform.plans import Resource, plan, state

TYPES = {token: name for name, token in NAMES.items()}
RELEASE = "kubernetes:helm.sh/v3:Release"
_NO_OBJECTS = re.compile(r"kubernetes:(?:helm\.sh|yaml|kustomize)")


def is_rendered(resource: Registration) -> bool:
    """Whether Terraform has a resource of this type that Muster reads."""
    if resource.type.startswith("kubernetes:"):
        return resource.type == RELEASE or not _NO_OBJECTS.match(resource.type)
    return resource.type in TYPES


def addresses(registrations: Iterable[Registration]) -> dict[str, str]:
    """URN -> address. Resources with equal names in two components have numbers behind their names."""
    found: dict[str, str] = {}
    seen: Counter[str] = Counter()
    for each in sorted(filter(is_rendered, registrations), key=lambda one: one.urn):
        where = f"{_terraform_type(each)}.{re.sub(r'[^A-Za-z0-9_-]', '_', each.name)}"
        seen[where] += 1
        found[each.urn] = where if seen[where] == 1 else f"{where}_{seen[where]}"
    return found


def _terraform_type(resource: Registration) -> str:
    if resource.type == RELEASE:
        return "helm_release"
    return TYPES.get(resource.type, "kubernetes_manifest")


def as_if_of_terraform(registrations: Iterable[Registration]) -> tuple[Registration, ...]:
    """The same registrations with the URNs that the reader gives: without Muster's components, which a plan lacks."""
    kept = [each for each in registrations if is_rendered(each)]
    named = addresses(kept)
    urns = {each.urn: f"urn:pulumi:terraform::terraform::{each.type}::{named[each.urn]}" for each in kept}
    made = []
    for each in kept:
        before = {name: _those(listed, urns) for name, listed in each.property_dependencies.items()}
        own = urns[each.urn]
        made.append(
            replace(
                each,
                urn=own,
                name=Ref.of_urn(own).name,
                parent="",
                property_dependencies=before,
                dependencies=_those(each.dependencies, urns),
            )
        )
    return tuple(made)


def _those(urns: Iterable[str], names: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(sorted(names[each] for each in urns if each in names))


def document(registrations: Iterable[Registration], *, region: str, applied: bool) -> dict[str, Any]:
    """A state if the resources exist, otherwise a plan that creates them."""
    listed = [each for each in registrations if is_rendered(each)]
    named = addresses(listed)
    resources = [
        Resource(
            named[each.urn],
            _written(each, region, applied=applied),
            _references(each, named),
            depends_on=tuple(named[urn] for urn in each.dependencies if urn in named),
        )
        for each in listed
    ]
    if applied:
        return state(*resources)
    made = plan(*resources, providers={"aws": {"name": "aws", "expressions": {"region": {"constant_value": region}}}})
    # What Muster's program gets from elsewhere is a data source that is read during apply.
    elsewhere = {"address": "data.external.elsewhere", "mode": "data", "type": "external", "name": "elsewhere"}
    made["planned_values"]["root_module"]["resources"].append({**elsewhere, "values": {}})
    return made


def _written(each: Registration, region: str, *, applied: bool) -> dict[str, Any]:
    """Its attributes by Terraform's names. A state also has the id, the ARN, the Region, and empty values for what is
    not set."""
    if each.type == RELEASE:
        return _release(each.inputs)
    type_ = resource_type(_terraform_type(each))
    if type_ is None:
        return {"manifest": dict(each.inputs)}
    native = type_.token.startswith("aws-native:")
    values = _attributes(each.inputs, type_.properties, native=native)
    if not applied:
        return values
    outputs = {name: value for name, value in each.outputs.items() if name not in each.inputs}
    known = _attributes({**outputs, **each.inputs}, type_.properties, native=native)
    network = each.outputs.get("vpcConfig")
    if isinstance(network, Mapping) and "clusterSecurityGroupId" in network:
        known["vpc_config"][0]["cluster_security_group_id"] = network["clusterSecurityGroupId"]
    for name, about in type_.properties.items():
        if name not in known and not native:
            known[name] = [] if about.form in ("list", "one") else {} if about.form == "map" else ""
    arn = each.outputs.get("arn") or each.outputs.get("clusterArn")
    own = {"id": each.id, **({"arn": arn} if isinstance(arn, str) else {})}
    return {**known, **own} if native else {"region": region, **known, **own}


def _attributes(inputs: Mapping[str, Any], properties: Properties, *, native: bool) -> dict[str, Any]:
    names = {about.name: (name, about) for name, about in properties.items()}
    made: dict[str, Any] = {}
    for key, value in inputs.items():
        if key not in names or value is None:
            continue
        name, about = names[key]
        if value is UNKNOWN:
            made[name] = value
        elif about.form == "one" and isinstance(value, Mapping):
            inner = _attributes(value, about.below, native=native)
            made[name] = inner if native else [inner]
        elif about.form == "list" and about.below and isinstance(value, list):
            made[name] = [
                _attributes(each, about.below, native=native) if isinstance(each, Mapping) else each for each in value
            ]
        else:
            made[name] = value
    return made


def _release(inputs: Mapping[str, Any]) -> dict[str, Any]:
    values = inputs.get("values")
    unknown = has_unknown(values)
    return {
        "chart": inputs.get("chart"),
        "version": inputs.get("version"),
        "namespace": inputs.get("namespace"),
        "repository": (inputs.get("repositoryOpts") or {}).get("repo"),
        "values": UNKNOWN if unknown else [json.dumps(values)] if values else [],
    }


def _references(each: Registration, named: Mapping[str, str]) -> dict[str, list[str]]:
    """Every argument has an expression, which names the resources that its value comes from."""
    type_ = resource_type(_terraform_type(each))
    names = {about.name: name for name, about in type_.properties.items()} if type_ else {}
    found: dict[str, list[str]] = {}
    for key, value in each.inputs.items():
        used = [f"{named[urn]}.id" for urn in each.property_dependencies.get(key, ()) if urn in named]
        elsewhere = ["data.external.elsewhere.result"] if has_unknown(value) and not used else []
        found[names.get(key, key)] = used or elsewhere
    return found
