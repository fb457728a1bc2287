"""Makes registrations of the resources in a Terraform plan or state."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from muster.finding import Finding
from muster.fleet.registration import Registration
from muster.fleet.resources.ref import CLUSTER, HYPERPOD, NODE_GROUP
from muster.json_text import position
from muster.position import Position
from muster.sources.registrations import Program
from muster.sources.source import Gap, InputFile, Source
from muster.sources.terraform.configuration import Block, Configuration
from muster.sources.terraform.document import Document, Instance, module_path, read_document
from muster.sources.terraform.kubernetes import is_kubernetes, object_of
from muster.sources.terraform.types import NAMES, TERMS, ResourceType, resource_type
from muster.sources.terraform.values import inputs_of, with_unknown
from muster.unknown import UNKNOWN

_TEMPLATE = "aws_launch_template"
_IN_TEMPLATE = {"amiType": "image_id", "instanceTypes": "instance_type"}
"""A managed group's input -> the attribute of the template that it excludes."""
_STACK, _PROJECT = "terraform", "terraform"
_OBJECT = NAMES["aws_s3_object"]
_RUN_COMMANDS = ("null_resource", "terraform_data")
"""Resources whose commands may upload files, such as the lifecycle scripts of HyperPod."""


def read(file: InputFile) -> Source:
    """Reads a plan or a state that `terraform show -json` printed.

    Raises:
        InvalidFile: it is neither, or a part of it has another form.
    """
    document = read_document(file)
    configuration = Configuration(document)
    regions = Regions(document, configuration)
    registrations = tuple(_Registrar(document, configuration, regions).registrations())
    return Source(
        name=_name(registrations, file.path),
        registrations=registrations,
        gaps=tuple(_gaps(document, registrations)),
        region=regions.usual(each.inputs.get("region") for each in registrations),
        place=partial(_place, file.text),
        label=Program.name_of,
        terms=TERMS,
    )


def _place(text: str, finding: Finding) -> Position | None:
    """Where the object of a resource begins. None in a file of one line, where no editor shows it."""
    urn = next((each for each in (finding.where, finding.resource) if each.startswith("urn:")), "")
    start = _begins(text).get(Program.name_of(urn)) if urn else None
    return None if start is None else position(text, start)


_WITH_ADDRESS = re.compile(r'\{\s*"address"\s*:\s*("[^"\\]*(?:\\.[^"\\]*)*")')
"""An object that begins with its address, as Terraform writes resources. Inside of a text, each quote has a backslash
before it, so this does not match there."""


@lru_cache(maxsize=2)
def _begins(text: str) -> dict[str, int]:
    """Address -> where its first object begins; nothing for a file of one line."""
    found: dict[str, int] = {}
    for each in _WITH_ADDRESS.finditer(text) if "\n" in text.strip() else ():
        found.setdefault(json.loads(each[1]), each.start())
    return found


def _name(registrations: tuple[Registration, ...], path: Path) -> str:
    """The name of the only HyperPod cluster, or of the only EKS cluster; else that of the file."""
    for type_, name in ((HYPERPOD, "clusterName"), (CLUSTER, "name")):
        named = [each.inputs.get(name) for each in registrations if each.type == type_]
        if len(named) == 1 and isinstance(named[0], str) and named[0]:
            return named[0]
    return path.stem if path.stem not in ("", "-") else _STACK


def _gaps(document: Document, registrations: tuple[Registration, ...]) -> Iterator[Gap]:
    if document.incomplete:
        yield Gap("plan", document.incomplete)
    if not document.resources:
        yield Gap("resources", "the file has no resources to check")
    elif not registrations:
        yield Gap("resources", "no rule reads a resource of this file")
    for each in registrations:
        if each.type == HYPERPOD:
            yield Gap(each.name, "whether HyperPod's chart is created before the cluster")
    yield from unread(each.type for each in document.resources)


class _Registrar:
    """Registers the resources of one file."""

    def __init__(self, document: Document, configuration: Configuration, regions: "Regions") -> None:
        self._document, self._configuration, self._regions = document, configuration, regions
        self._program = Program(_STACK, _PROJECT)
        self._urns: dict[str, str] = {}
        self._templates = {each.address: each for each in document.resources if each.type == _TEMPLATE}
        self._made: list[tuple[Instance, str, ResourceType | dict[str, Any]]] = []

    def registrations(self) -> Iterator[Registration]:
        """All registrations."""
        for each in self._document.resources:
            self._name(each)
        yield from self._uploads()
        for resource, urn, type_ in self._made:
            if isinstance(type_, ResourceType):
                yield self._of_aws(resource, urn, type_)
            else:
                token = urn.split("::")[2]
                yield Registration(urn=urn, type=token, name=resource.address, inputs=type_, outputs=type_)

    def _uploads(self) -> Iterator[Registration]:
        """An object with an unknown key in an unknown bucket, for each resource that runs commands."""
        values = {"bucket": UNKNOWN, "key": UNKNOWN}
        for each in self._document.resources:
            if each.type in _RUN_COMMANDS:
                urn = self._program.urn(_OBJECT, each.address)
                yield Registration(urn=urn, type=_OBJECT, name=each.address, inputs=values, id=UNKNOWN, outputs=values)

    def _name(self, resource: Instance) -> None:
        """Gives a resource its URN; one that no rule reads has none."""
        type_ = resource_type(resource.type)
        if type_ is not None:
            urn = self._program.urn(type_.token, resource.address)
            self._made.append((resource, urn, type_))
        elif is_kubernetes(resource.type):
            values = with_unknown(resource.values, resource.unknown)
            read = object_of(resource.type, values if isinstance(values, Mapping) else {})
            if read is None:
                return
            urn = self._program.urn(read[0].replace("::", ":"), resource.address)
            self._made.append((resource, urn, read[1]))
        else:
            return
        self._urns[resource.address] = urn

    def _of_aws(self, resource: Instance, urn: str, type_: ResourceType) -> Registration:
        block = self._configuration.block(resource)
        origin = partial(self._configuration.origin, resource=resource, block=block or Block())
        inputs = inputs_of(resource, type_.properties, block, origin)
        values = dict(inputs.values)
        region = self._regions.of(resource)
        if region:
            values["region"] = region
        uses = self._configuration.uses(resource, block, inputs.unknown) if block else {}
        if type_.token == NODE_GROUP:
            values = self._without_what_the_template_sets(values, uses.get("launchTemplate", ()))
        id_, arn = resource.values.get("id"), resource.values.get("arn", resource.values.get("cluster_arn"))
        return Registration(
            urn=urn,
            type=type_.token,
            name=resource.address,
            inputs=values,
            id=id_ if isinstance(id_, str) and id_ else UNKNOWN,
            outputs={**values, "arn": arn} if isinstance(arn, str) and arn else values,
            dependencies=tuple(sorted(self._urns.values())) if type_.token == HYPERPOD else (),
            property_dependencies={name: self._urns_of(listed) for name, listed in uses.items()},
        )

    def _without_what_the_template_sets(self, values: dict[str, Any], templates: tuple[str, ...]) -> dict[str, Any]:
        """A managed group's inputs without unknown ones that its template sets. EKS refuses both (EKS API,
        CreateNodegroup), so modules leave the group's argument null then, and a plan has it as unknown: the provider
        computes it."""
        named = [self._templates[each] for each in templates if each in self._templates]
        if len(named) != 1:
            return values
        there = {theirs for theirs, ours in _IN_TEMPLATE.items() if isinstance(named[0].values.get(ours), str)}
        return {name: value for name, value in values.items() if value is not UNKNOWN or name not in there}

    def _urns_of(self, addresses: Any) -> tuple[str, ...]:
        return tuple(sorted(self._urns[each] for each in addresses if each in self._urns))


_REGION = re.compile(r"[a-z]{2}(?:-[a-z]+)+-\d")
_IN_ARN = re.compile(r"arn:aws[\w-]*:[\w-]+:([a-z]{2}(?:-[a-z]+)+-\d):")
_TOLD_BY = {"aws_region": ("region", "name", "id"), "aws_availability_zones": ("id",)}
"""Data sources whose attributes name the provider's Region."""
_GLOBAL = ("aws_iam_", "aws_cloudfront_", "aws_route53_")
"""Services whose ARNs have another Region than the provider, or none."""


class Regions:
    """The Regions of the providers of a plan or a state."""

    def __init__(self, document: Document, configuration: Configuration) -> None:
        self._document, self._configuration = document, configuration
        providers = document.configuration.get("provider_config")
        self._providers: Mapping[str, Any] = providers if isinstance(providers, Mapping) else {}
        self._known: dict[str, str | None] = {}

    def of(self, resource: Instance) -> str | None:
        """The Region of a resource; None if the file does not have it."""
        block = self._configuration.block(resource)
        arn = resource.values.get("arn")
        region = resource.values.get("region")
        if region not in (None, "") and resource.type.startswith("aws_"):
            return _text(region)  # version 6 of the provider
        if isinstance(arn, str) and not resource.type.startswith(_GLOBAL) and (found := _IN_ARN.match(arn)):
            return found[1]
        return self._of_provider(block.provider) if block else None

    def usual(self, resources: Iterable[Any]) -> str | None:
        """The Region of the most resources; without one, that of the default provider or of a data source."""
        counted = Counter(each for each in map(_text, resources) if each)
        if counted:
            return max(counted, key=lambda region: (counted[region], region))
        return self._of_provider("aws") or self._of_data()

    def _of_provider(self, key: str) -> str | None:
        if key not in self._known:
            about = self._providers.get(key)
            expressions = about.get("expressions") if isinstance(about, Mapping) else None
            region = expressions.get("region") if isinstance(expressions, Mapping) else None
            address = about.get("module_address") if isinstance(about, Mapping) else None
            self._known[key] = _text(self._configuration.constant(region, module_path(address)))
        return self._known[key]

    def _of_data(self) -> str | None:
        for each in self._document.read:
            for name in _TOLD_BY.get(each.type, ()):
                if found := _text(each.values.get(name)):
                    return found
        return None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and _REGION.fullmatch(value) else None


_SERVICES = re.compile(
    r"""
    kubernetes_(?:cron_job|daemon_?set|deployment|job|pod|replication_controller|stateful_set)(?:_v\d+)?$
    | (?:aws|awscc)_(?:
        alb | ami(?:_|$) | autoscaling_ | batch_ | default_network_acl | default_subnet | default_vpc
        | ebs_ | ec2_ | ecs_ | efs_ | eks_ | elb | emr | fsx_ | instance$ | launch_configuration
        | lb(?:_|$) | lightsail_ | network_acl | pcs_ | sagemaker_ | spot_ | volume_attachment | vpc_peering
    )
    """,
    re.VERBOSE,
)
"""The services of `muster.policies.views.unread`, by Terraform's names, and objects with pods."""
_NOTHING_TO_ASK = frozenset(
    {
        "aws_ec2_tag",
        "aws_eks_access_entry",
        "aws_eks_access_policy_association",
        "awscc_ec2_vpc",
        "awscc_eks_access_entry",
    }
)
"""Types that no rule needs to judge."""


def unread(types: Iterable[str]) -> Iterator[Gap]:
    """One gap for each type of these services that no rule reads."""
    counted = Counter(each for each in types if _is_unread(each))
    for type_, number in sorted(counted.items()):
        resources = "resource is" if number == 1 else "resources are"
        yield Gap(type_, f"no rule reads this type: {number} {resources} not judged")


def _is_unread(type_: str) -> bool:
    if type_ in NAMES or type_ in _NOTHING_TO_ASK or is_kubernetes(type_):
        return False
    return _SERVICES.match(type_) is not None
