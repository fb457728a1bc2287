"""Custom resources that the EKS library of AWS CDK writes (`aws-eks`, its modules `cluster-resource.ts`,
`helm-chart.ts` and `k8s-manifest.ts`). Their `Config` is a request to EKS's API."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from muster import json_text
from muster.policies.views.addons import RELEASE
from muster.sources.cloudformation.converted.forms import Converted, Properties, block
from muster.sources.cloudformation.converted.kubernetes import cluster
from muster.unknown import UNKNOWN

_CHART = (("Chart", "chart"), ("Version", "version"), ("Namespace", "namespace"), ("Repository", "repository"))
_GROUP = re.compile(r"[\w.-]+/v\w+|v\d\w*")
_KIND = re.compile(r"[A-Z]\w*")


def eks_cluster(properties: Properties, name: str) -> Iterable[Converted]:
    """`Custom::AWSCDK-EKS-Cluster`."""
    config = block(properties, "Config")
    given = {} if config is UNKNOWN else {_pascal(str(key)): _of_api(value) for key, value in config.items()}
    if config is UNKNOWN:
        given = dict.fromkeys(("Version", "ResourcesVpcConfig", "Logging", "EncryptionConfig", "AccessConfig"), UNKNOWN)
    yield from cluster({**given, **({"Logging": _logging(given["Logging"])} if "Logging" in given else {})}, name)


def _pascal(name: str) -> str:
    return name[:1].upper() + name[1:]


def _of_api(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {_pascal(str(key)): _of_api(each) for key, each in value.items()}
    return [_of_api(each) for each in value] if isinstance(value, list) else value


def _logging(value: Any) -> Any:
    """The API lists types by whether they are enabled; CloudFormation has only the enabled ones."""
    listed = value.get("ClusterLogging") if isinstance(value, Mapping) else UNKNOWN
    if not isinstance(listed, list) or not all(isinstance(each, Mapping) for each in listed):
        return UNKNOWN
    on = [each.get("Types") for each in listed if each.get("Enabled") is not False]
    if not all(isinstance(each, list) for each in on):
        return UNKNOWN
    return {"ClusterLogging": {"EnabledTypes": [{"Type": each} for listed in on for each in listed]}}


def helm_chart(properties: Properties, _: str) -> Iterable[Converted]:
    """`Custom::AWSCDK-EKS-HelmChart`. Its values are JSON."""
    inputs = {theirs: properties[ours] for ours, theirs in _CHART if ours in properties}
    inputs.setdefault("chart", UNKNOWN)  # a chart in an archive
    values = _json(properties.get("Values", "{}"))
    yield Converted(RELEASE, {**inputs, "values": values if isinstance(values, Mapping) else UNKNOWN})


def manifest(properties: Properties, _: str) -> Iterable[Converted]:
    """`Custom::AWSCDK-EKS-KubernetesResource`: JSON with a list of objects. Nothing is read of a manifest that has
    values which only CloudFormation knows."""
    listed = _json(properties.get("Manifest", "[]"))
    for index, each in enumerate(listed if isinstance(listed, list) else []):
        api, kind = (each.get("apiVersion"), each.get("kind")) if isinstance(each, Mapping) else (None, None)
        if _GROUP.fullmatch(str(api)) and _KIND.fullmatch(str(kind)):
            group = str(api) if "/" in str(api) else f"core/{api}"
            yield Converted(f"kubernetes:{group}:{kind}", each, f"Manifest[{index}]")


def _json(text: Any) -> Any:
    try:
        return json_text.load(text) if isinstance(text, str) else UNKNOWN
    except json_text.NotJson:
        return UNKNOWN
