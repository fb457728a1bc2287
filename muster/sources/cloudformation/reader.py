"""Reads a CloudFormation template as the resources that its stack creates."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from muster.cloudformation.values import TooMany
from muster.edits import OF_FILE
from muster.finding import Finding
from muster.fleet.registration import Registration
from muster.fleet.resources.ref import BUCKET, CLOUDFORMATION_STACK, CLUSTER, LAUNCH_TEMPLATE, ROLE
from muster.plain_data import value_at
from muster.policies.views.addons import RELEASE
from muster.policies.views.parallelcluster_configuration import CONFIGURATION, is_cluster
from muster.policies.views.unread import unread
from muster.position import Position
from muster.sources.cloudformation.converted import TABLE, Converted, converted, finished, settled
from muster.sources.cloudformation.stack import PLACES, Resource, Stack, Tree
from muster.sources.keys import table_of
from muster.sources.registrations import Program, source_name
from muster.sources.source import Gap, InputFile, InvalidFile, Source, empty_file_gap
from muster.sources.unknown_keys import UnknownKeys
from muster.unknown import UNKNOWN

_OTHER = {
    "vpcConfig": "ResourcesVpcConfig",
    "vpcSecurityGroupIds": "SecurityGroupIds",
    "nodeRoleArn": "NodeRole",
    "volumeSizeInGb": "VolumeSizeInGB",
    "vpcZoneIdentifiers": "VPCZoneIdentifier",
    "cidrBlocks": "CidrIp",
}
"""Pulumi's name of a property -> CloudFormation's, where they are not the same but for the case."""


def pascal(name: str) -> str:
    """``vpcConfig.subnetIds`` -> ``ResourcesVpcConfig.SubnetIds``. Words are no property: ``the values of``."""
    if " " in name or "/" in name:
        return name
    return ".".join(_OTHER.get(each, f"{each[:1].upper()}{each[1:]}") for each in name.split("."))


TERMS = replace(OF_FILE, key=pascal, document="template")


FORMAT = "cloudformation"
_LAUNCHERS = ("AWS::Batch::", "AWS::EC2::Instance", "AWS::EC2::EC2Fleet", "AWS::EC2::SpotFleet")
"""Types that no rule reads, and that may set the instance type of a launch template."""
_PROGRAMS = ("Custom::", "AWS::CloudFormation::CustomResource", "AWSQS::Kubernetes::")
"""Types of resources that a program creates."""
_NO_CHARTS = ("Custom::AWSCDK", "Custom::CDK", "Custom::LogRetention", "Custom::S3", "Custom::VpcRestrict")
"""Types of them that AWS CDK's libraries write, and that install no chart."""


def read(file: InputFile) -> Source:
    """The resources that a template creates.

    Raises:
        InvalidFile: it has errors that CloudFormation refuses, or is larger than Muster reads.
    """
    index, document = _template(file)
    try:
        return _Reading(file, index, document).source()
    except RecursionError:
        raise file.fault((), "has functions that are nested too deeply", "use fewer levels", index) from None
    except TooMany as fault:
        raise file.fault((), str(fault), "split it", index) from None


def _template(file: InputFile) -> tuple[int, Mapping[str, Any]]:
    for index, each in enumerate(file.documents):
        if isinstance(each, Mapping) and ("Resources" in each or "AWSTemplateFormatVersion" in each):
            resources = each.get("Resources")
            if not isinstance(resources, Mapping):
                got = "has no Resources" if resources is None else "Resources is not a mapping"
                raise file.fault(("Resources",), got, "write each resource below Resources with its logical id", index)
            return index, each
    raise file.fault((), "is not a template", "write a mapping with Resources")


class _Reading:
    """One file, while it is read."""

    def __init__(self, file: InputFile, index: int, document: Mapping[str, Any]) -> None:
        self._file, self._index, self._document = file, index, document
        self._tree = Tree(file.path)
        self._name = source_name(file)
        self._program = Program(self._name, FORMAT)
        self._made: list[tuple[Resource, Converted]] = []
        self._urns: dict[str, str] = {}
        self._others: list[tuple[str, str]] = []
        self._paths: dict[str, tuple[str, ...]] = {}
        self._names: dict[str, str] = {}
        self._depends: dict[str, tuple[str, ...]] = {}
        self._programs: list[Resource] = []

    def source(self) -> Source:
        """All resources, with their references to each other."""
        root = Stack(self._document, {}, self._file.path, self._tree)
        clusters: dict[int, tuple[Stack, list[Resource]]] = {}
        resources = list(root.resources())
        for each in resources:
            self._depends[each.name] = each.depends_on
            if _is_cluster(each):
                clusters.setdefault(id(each.stack), (each.stack, []))[1].append(each)
            else:
                self._convert(each)
        self._names = dict(self._other_names())
        self._made += self._possible_charts()
        for resource, made in self._made:
            self._add(resource, made)
        for stack, listed in clusters.values():
            self._add_clusters(stack, listed)
        registrations = self._program.registrations
        gaps = [Gap(where, missing) for where, missing in self._tree.gaps.items()]
        return Source(
            name=self._name,
            registrations=registrations,
            gaps=tuple(sorted({*gaps, *self._unread(), *(() if self._others else empty_file_gap(registrations))})),
            place=self._place,
            terms=TERMS,
            notes=(*self._nested_note(), *self._tree.notes),
            nested=tuple(dict.fromkeys(each.resolve() for each in self._tree.files.values())),
            unknown_keys=tuple(self._unknown_keys(resources)),
        )

    def _unknown_keys(self, resources: Iterable[Resource]) -> Iterator[InvalidFile]:
        """The keys that a template, its resources, or the configuration of a ParallelCluster cluster do not have. A
        macro of the whole template may give it others."""
        if any(each.startswith("Transform ") for each in self._tree.gaps):
            return
        template = UnknownKeys(self._file, "CloudFormation", self._index)
        cluster = UnknownKeys(self._file, "ParallelCluster", self._index)
        blocks, of_cluster = table_of(FORMAT).blocks, table_of("parallelcluster").blocks
        template.search(self._document, "Template", blocks)
        for each in resources:
            path = ("Resources", *each.path)
            of_type = {**blocks["Resource"], "Properties": each.type}
            template.search(each.declared, "Resource", {**blocks, "Resource": of_type}, path)
            if _is_cluster(each):
                inside = (*path, "Properties", CONFIGURATION)
                cluster.search(value_at(each.properties, CONFIGURATION), "Cluster", of_cluster, inside)
        yield from (*template.faults(), *cluster.faults())

    def _other_names(self) -> Iterator[tuple[str, str]]:
        """Texts that name a resource of the file by its name, and what stands for them: many templates write the ARNs
        of their clusters and roles themselves."""
        region, account = PLACES
        for resource, made in self._made:
            name = made.inputs.get("bucket" if made.type == BUCKET else "name")
            if not isinstance(name, str) or made.part:
                continue
            if made.type == CLUSTER:
                yield f"arn:aws:eks:{region}:{account}:cluster/{name}", f"{resource.name}.Arn"
            elif made.type == ROLE:
                yield f"arn:aws:iam::{account}:role/{name}", f"{resource.name}.Arn"
            elif made.type == BUCKET:
                yield f"s3://{name}", resource.name
                yield f"arn:aws:s3:::{name}", f"{resource.name}.Arn"

    def _nested_note(self) -> Iterator[str]:
        if files := self._tree.files:
            listed = ", ".join(file.name for file in files.values())
            yield f"Muster also reads its nested stacks from the files beside it: {listed}"

    def _convert(self, resource: Resource) -> None:
        if resource.type not in TABLE:
            self._others.append((resource.type, resource.name))
            if resource.type.startswith(_PROGRAMS) and not resource.type.startswith(_NO_CHARTS):
                self._programs.append(resource)
            return
        properties = settled(resource.stack.template.worked_out(resource.properties))
        listed = converted(resource.type, properties, resource.name) if isinstance(properties, Mapping) else None
        if listed is None:
            self._tree.gaps[resource.name] = "its properties are not known"
        for made in listed or ():
            name = f"{resource.name}.{made.part}" if made.part else resource.name
            self._made.append((resource, made))
            if not made.part:
                self._urns[resource.name] = self._program.urn(made.type, name)

    def _add(self, resource: Resource, made: Converted) -> None:
        inputs, uses = finished(made.inputs, self._names)
        if made.type == LAUNCH_TEMPLATE and any(type_.startswith(_LAUNCHERS) for type_, _ in self._others):
            inputs.setdefault("instanceType", UNKNOWN)
        name = f"{resource.name}.{made.part}" if made.part else resource.name
        urn = self._program.add(
            made.type,
            name,
            inputs,
            id_=name,
            outputs={"arn": f"{name}.Arn", **finished(made.outputs)[0]},
            uses={
                "DependsOn": tuple(self._before(resource)),
                **{key: tuple(self._urns[each] for each in names if each in self._urns) for key, names in uses.items()},
            },
        )
        self._paths[urn] = resource.path

    def _before(self, resource: Resource) -> Iterator[str]:
        """The URNs of the resources that CloudFormation creates before a resource because of `DependsOn`, its own or
        that of a nested stack that it is in. A nested stack there stands for all of its resources."""
        own = resource.name.split(".")
        for depth in range(len(own)):
            for needed in self._depends.get(".".join(own[: depth + 1]), ()):
                yield from (urn for name, urn in self._urns.items() if name == needed or name.startswith(f"{needed}."))

    def _possible_charts(self) -> Iterator[tuple[Resource, Converted]]:
        """A chart that is not known for each custom resource of a file with an EKS cluster: its program may install
        one, as in AWS's templates for HyperPod."""
        if any(made.type == CLUSTER for _, made in self._made):
            for each in self._programs:
                self._urns[each.name] = self._program.urn(RELEASE, each.name)
                yield each, Converted(RELEASE, {"chart": UNKNOWN, "version": UNKNOWN, "values": UNKNOWN})

    def _add_clusters(self, stack: Stack, listed: list[Resource]) -> None:
        """A stack with clusters on ParallelCluster, with its template: the view of ParallelCluster reads both. The
        configurations are evaluated here, so that they name the other resources of the file."""
        document = stack.template.document
        resources = {str(key): each for key, each in stack.template.resources.items() if isinstance(each, Mapping)}
        evaluated: set[str] = set()
        for each in listed:
            written = each.properties if isinstance(each.properties, Mapping) else {}
            properties = {
                str(key): settled(stack.template.worked_out(value), str(key))
                for key, value in written.items()
                if key != "ServiceToken"
            }
            inputs, uses = finished(properties, self._names)
            evaluated |= {one for names in uses.values() for one in names}
            token = {"ServiceToken": written["ServiceToken"]} if "ServiceToken" in written else {}
            resources[each.logical] = {"Type": each.type, "Properties": {**inputs, **token}}
        name = stack.prefix.rstrip(".") or self._name
        urn = self._program.add(
            CLOUDFORMATION_STACK,
            name,
            {
                "name": UNKNOWN,
                "templateBody": {**document, "Resources": resources},
                "parameters": stack.template.given,
            },
            id_=f"{name}.stack",
            uses={"parameters": tuple(self._urns[each] for each in evaluated if each in self._urns)},
        )
        self._paths[urn] = listed[0].path

    def _unread(self) -> Iterator[Gap]:
        """A gap for each type that no rule reads, but that may run jobs or have their networks and file systems."""
        names: dict[str, list[str]] = {}
        for type_, name in self._others:
            names.setdefault(type_, []).append(name)
        for resource, made in self._made:
            if unread([_bare(made.type)]):
                names.setdefault(resource.type, []).append(resource.name)
        for type_, listed in names.items():
            parts = type_.split("::")
            kind = f"aws-native:{parts[1].lower()}:{parts[-1]}" if len(parts) > 2 else ""  # noqa: PLR2004
            if type_ in TABLE or unread([_bare(kind)]):
                are = "resource is" if len(listed) == 1 else "resources are"
                yield Gap(type_, f"no rule reads this type: {len(listed)} {are} not judged")

    def _place(self, finding: Finding) -> Position | None:
        """The property at fault, else the resource. For a resource of a nested stack, the nested stack."""
        path = self._paths.get(finding.where) or self._paths.get(finding.resource)
        if path is None:
            return None
        at = ("Resources", path[0])
        keys = TERMS.key(finding.property).split(".")
        for around in ((), *_SETTINGS) if len(path) == 1 else ():
            if value_at(self._document, *at, "Properties", *around, keys[0]) is not None:
                return self._file.position((*at, "Properties", *around, *keys), self._index)
        return self._file.position(at, self._index)


_SETTINGS = (("LaunchTemplateData",), ("LustreConfiguration",))
"""Blocks with most of the properties of their resource."""


def _bare(type_: str) -> Registration:
    return Registration(f"urn:pulumi:{FORMAT}::{FORMAT}::{type_}::any", type_, "any", {})


def _is_cluster(resource: Resource) -> bool:
    """Whether a resource is a cluster on ParallelCluster."""
    declared = resource.properties
    return is_cluster(resource.type, declared if isinstance(declared, Mapping) else {}, {})
