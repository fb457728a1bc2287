"""The types of resources and the names of functions in programs in YAML.

pulumi-yaml has the schemas of providers; Muster reads from the installed SDKs whether a type exists.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from muster.foreign.project import Project
from muster.message_text import closest_match

_MODULES_AS_WRITTEN = frozenset(
    {
        "aws-apigateway",
        "aws-iam",
        "aws-native",
        "awsx",
        "azure-native",
        "command",
        "docker-build",
        "eks",
        "google-native",
        "kubernetes",
        "pulumi",
        "pulumiservice",
        "std",
        "synced-folder",
    }
)
"""Packages with types `pkg:module:Type`. Packages that wrap Terraform providers have `pkg:module/type:Type`."""
_SDKS = {"aws": "pulumi_aws", "aws-native": "pulumi_aws_native", "eks": "pulumi_eks", "kubernetes": "pulumi_kubernetes"}
"""The packages whose types are in the SDKs that Muster installs."""
_COMPONENTS = frozenset(
    {
        "kubernetes:helm.sh/v4:Chart",
        "kubernetes:kustomize/v2:Directory",
        "kubernetes:yaml/v2:ConfigFile",
        "kubernetes:yaml/v2:ConfigGroup",
    }
)
_OF_COMPONENTS = frozenset({"aws-apigateway", "aws-iam", "awsx", "eks", "synced-folder"})
"""Packages of components, each with a provider plugin."""
REFUSED_TYPES = {
    "kubernetes:apiextensions.k8s.io:CustomResource": "use the type of the resource itself",
    "kubernetes:helm.sh/v2:Chart": "use kubernetes:helm.sh/v4:Chart",
    "kubernetes:helm.sh/v3:Chart": "use kubernetes:helm.sh/v4:Chart",
    "kubernetes:kustomize:Directory": "use kubernetes:kustomize/v2:Directory",
    "kubernetes:yaml:ConfigFile": "use kubernetes:yaml/v2:ConfigFile",
    "kubernetes:yaml:ConfigGroup": "use kubernetes:yaml/v2:ConfigGroup",
}
"""Type that pulumi-yaml refuses -> the remedy."""


def canonical_type(written: str, *, bridged: bool = True) -> tuple[str, str]:
    """A resource's type as its provider writes it, and a message if Muster's SDKs do not contain the type.

    Args:
        written: the type.
        bridged: whether its package may wrap a Terraform provider. Packages of the project's components do not.
    """
    if written.startswith("pulumi:"):
        return written, ""
    package = written.partition(":")[0]
    types = _types(package)
    tried = list(_spelt(written))
    for each in tried:
        if found := types.get(each.lower()):
            return found, ""
    likely = tried[-1] if bridged and _is_bridged(package) else tried[0]
    if not types:
        return likely, ""
    near = closest_match(likely, types.values())
    hint = f" (did you mean '{near}'?)" if near else ""
    return likely, f"Muster does not know this resource type{hint}, so no rule evaluates the resource"


def function_token(written: str) -> str:
    """A function's name as its provider writes it."""
    tried = list(_spelt(written))
    return tried[-1] if _is_bridged(written.partition(":")[0]) else tried[0]


def _is_bridged(package: str) -> bool:
    """Whether a package wraps a Terraform provider, whose types are `pkg:module/type:Type`."""
    return package not in _MODULES_AS_WRITTEN


def _spelt(written: str) -> Iterator[str]:
    """A token as written (with `index` inserted), and as packages write it that wrap Terraform providers."""
    package, *module, name = written.split(":")
    middle = module[0] if module else "index"
    yield f"{package}:{middle}:{name}"
    if "/" not in middle:
        yield f"{package}:{middle}/{name[:1].lower()}{name[1:]}:{name}"


@cache
def _types(package: str) -> Mapping[str, str]:
    """Type in lower case -> type, for a package. Read from the SDK's source: an import takes seconds."""
    sdk = find_spec(_SDKS[package]) if package in _SDKS else None
    if sdk is None or sdk.origin is None:
        return {}
    found = re.findall(rf'"({package}:[A-Za-z0-9./_-]+:[A-Za-z0-9]+)": "', Path(sdk.origin).read_text(encoding="utf-8"))
    return {each.lower(): each for each in found}


def is_component(type_: str) -> bool:
    """Whether the provider creates child resources of a resource of this type."""
    return type_ in _COMPONENTS or type_.partition(":")[0] in _OF_COMPONENTS


def local_packages(project: Project) -> frozenset[str]:
    """Packages that the project takes from a folder or a repository; they contain components."""
    data = project.document.data
    packages = data.get("packages") if isinstance(data, Mapping) else None
    if not isinstance(packages, Mapping):
        return frozenset()
    sources = {key: each.get("source") if isinstance(each, Mapping) else each for key, each in packages.items()}
    return frozenset(key for key, each in sources.items() if isinstance(each, str) and _PLACE.match(each))


_PLACE = re.compile(r"[./]|https?:|[\w-]+\.[\w.-]+/")
"""Matches a folder or a repository (`./ours`, `github.com/them/theirs`), but no package of the registry."""
