"""One template of a file with its nested stacks: which resources it creates, and the values of their properties."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from muster import json_text, user_files
from muster.cloudformation.template import NoTemplate, Template, read
from muster.cloudformation.values import Budget, Inside, Named, TooMany
from muster.message_text import show_value
from muster.plain_data import as_list, value_at
from muster.sources.cloudformation.converted import TABLE
from muster.sources.placeholders import without_placeholders
from muster.unknown import UNKNOWN

NESTED = "AWS::CloudFormation::Stack"
_SERVERLESS = "AWS::Serverless-2016-10-31"
_LANGUAGE = "AWS::LanguageExtensions"
_PSEUDO = {"AWS::Partition": "aws", "AWS::URLSuffix": "amazonaws.com"}
"""The partition of AWS's commercial Regions, of which Muster has the tables."""
PLACES = ("${AWS::Region}", "${AWS::AccountId}")
"""What stands for the Region and the account, which a template does not have. Texts with them are unknown, but equal
ones are equal."""


def _pseudo(prefix: str) -> dict[str, str]:
    """The pseudo parameters of a stack."""
    later = {"AWS::Region": PLACES[0], "AWS::AccountId": PLACES[1]}
    own = {name: f"${{{prefix}{name}}}" for name in ("AWS::StackName", "AWS::StackId")}
    return {**_PSEUDO, **{name: Named.of(text, "") for name, text in {**later, **own}.items()}}


_MOST_RESOURCES = 500
"""Of a template (CloudFormation User Guide, "Understand CloudFormation quotas", Resources)."""
_MOST_NESTED = 50
_DEEPEST = 5
"""Nested stacks in a file, and stacks in each other."""

_AS_ID = frozenset(
    {
        *("GroupId", "SubnetId", "VpcId", "LaunchTemplateId", "AllocationId", "NatGatewayId", "GroupName", "KeyName"),
        *("Id", "InternetGatewayId", "InstanceProfileName", "RoleName", "CapacityReservationId"),
    }
)
"""Attributes that name the resource as `Ref` does."""
_BY_CODE = ("Custom::", "AWS::CloudFormation::", "AWS::Serverless::")
"""Types whose attributes are the answers of a program."""
_NAMES = ("Id", "Arn", "ARN", "SecurityGroup", "Name")


@dataclass(frozen=True)
class Resource:
    """One resource that a template creates."""

    stack: "Stack"
    logical: str
    type: str
    declared: Mapping[str, Any]
    """As written."""

    @property
    def properties(self) -> Any:
        """As written."""
        return self.declared.get("Properties", {})

    @property
    def depends_on(self) -> tuple[str, ...]:
        """The names of the resources in its `DependsOn`."""
        return tuple(f"{self.stack.prefix}{each}" for each in as_list(self.declared.get("DependsOn")))

    @property
    def name(self) -> str:
        """The logical id, with those of the nested stacks that it is in."""
        return f"{self.stack.prefix}{self.logical}"

    @property
    def path(self) -> tuple[str, ...]:
        """The logical ids on the way to it, from the file's own resources."""
        return tuple(self.name.split("."))


class Tree:
    """What the stacks of a file have in common: the messages about them, and the budget of their functions."""

    def __init__(self, template: Path) -> None:
        """Prepares a tree.

        Args:
            template: the file of the outermost template.
        """
        self.notes: dict[str, None] = {}
        """Messages, each once."""
        self.gaps: dict[str, str] = {}
        """Logical id -> what is missing."""
        self.files: dict[str, Path] = {}
        """Nested stack -> the file of its template."""
        self.folder = _assembly(template.resolve().parent) if str(template) != user_files.STDIN else None
        """The folder of the outermost template. Files elsewhere are not the template's: a template from elsewhere could
        name any file of this machine."""
        self.nested = 0
        self.budget = Budget()


class Stack:
    """One template with the values of its parameters."""

    def __init__(
        self, document: Mapping[str, Any], given: Mapping[str, Any], path: Path, tree: Tree, prefix: str = ""
    ) -> None:
        """Prepares a template.

        Args:
            document: the template.
            given: the parameters that the stack around it sets.
            path: the template's file.
            tree: the messages of the whole file.
            prefix: ``Network.`` for the resources of the nested stack `Network`.

        Raises:
            TooMany: it has more resources than CloudFormation accepts.
        """
        self.prefix, self._path, self._tree = prefix, path, tree
        self._children: dict[str, Stack | None] = {}
        self._attributes: dict[tuple[str, str], Any] = {}
        values, pseudo = {**_unset(document), **given}, _pseudo(prefix)
        count = len(value_at(document, "Resources") or ())
        if count > _MOST_RESOURCES:
            raise TooMany(f"{path.name} has {count} resources, but CloudFormation accepts at most {_MOST_RESOURCES}")
        self.template = Template(path.stem, document, values, pseudo, self._attribute, tree.budget)
        self._note_transforms(document.get("Transform"))

    def _note_transforms(self, declared: Any) -> None:
        listed = declared if isinstance(declared, list) else [declared]
        for each in listed:
            name = each.get("Name") if isinstance(each, Mapping) else each
            if isinstance(name, str) and name not in (_SERVERLESS, _LANGUAGE):
                self._tree.gaps[f"{self.prefix}Transform {name}"] = "it can change the template when AWS runs it"

    def resources(self) -> Iterator[Resource]:
        """The resources that the template creates, with those of nested stacks."""
        for logical, declared in self.template.resources.items():
            if str(logical).startswith(_LOOP):
                self._tree.gaps[f"{self.prefix}{logical}"] = f"the resources of this loop are not read; {_PROCESSED}"
                continue
            if not isinstance(declared, Mapping) or not isinstance(declared.get("Type"), str):
                self._tree.gaps[f"{self.prefix}{logical}"] = "its type is not in the template"
                continue
            if not self._is_created(declared):
                continue
            if _has_macro(declared):
                self._tree.gaps[f"{self.prefix}{logical}"] = f"a loop or a macro adds to it; {_PROCESSED}"
                continue
            found = Resource(self, str(logical), declared["Type"], declared)
            yield found
            if found.type == NESTED and (child := self.child(found.logical)):
                yield from child.resources()

    def _is_created(self, declared: Mapping[str, Any]) -> bool:
        if "Condition" not in declared:
            return True
        holds = self.template.condition(declared["Condition"])
        if holds is None and str(declared.get("Type")) in TABLE:
            note = f"the value of condition {declared['Condition']} is not known"
            self._tree.notes[f"{note}; Muster reads the resources as if they were created"] = None
        return holds is not False

    # attributes

    def _attribute(self, logical: str, attribute: str) -> Any:
        """What `Ref` and `Fn::GetAtt` return; None for what only CloudFormation knows."""
        key = logical, attribute
        if key not in self._attributes:
            self._attributes[key] = None  # an attribute that needs itself
            self._attributes[key] = self._attribute_of(self.template.resources.get(logical), logical, attribute)
        return self._attributes[key]

    def _attribute_of(self, declared: Any, logical: str, attribute: str) -> Any:
        if not isinstance(declared, Mapping):
            return None
        if "Condition" in declared and self.template.condition(declared["Condition"]) is False:
            return None
        type_ = str(declared.get("Type"))
        if type_ == NESTED:
            child = self.child(logical)
            return child.output(attribute) if child else None
        return None if type_.startswith(_BY_CODE) else self._of_resource(logical, attribute, declared.get("Properties"))

    def _of_resource(self, logical: str, attribute: str, properties: Any) -> Any:
        name = f"{self.prefix}{logical}"
        if not attribute or attribute in _AS_ID:
            return Named.of(name, name)
        if attribute.endswith(("Arn", "ARN")):
            return Named.of(f"{name}.Arn", name)
        if isinstance(properties, Mapping) and attribute in properties:
            return self.template.worked_out(properties[attribute])
        return Named.of(f"{name}.{attribute}", name) if attribute.endswith(_NAMES) else None

    def output(self, attribute: str) -> Any:
        """The value of an output: ``Outputs.SubnetId``. None if it is not known."""
        listed = self.template.document.get("Outputs")
        declared = listed.get(attribute.removeprefix("Outputs.")) if isinstance(listed, Mapping) else None
        if not isinstance(declared, Mapping) or "Value" not in declared:
            return None
        return self.template.worked_out(declared["Value"])

    # nested stacks

    def child(self, logical: str) -> "Stack | None":
        """The nested stack of a resource; None if its template is not available."""
        if logical not in self._children:
            self._children[logical] = None  # a stack that needs itself
            self._children[logical] = self._nested(logical)
        return self._children[logical]

    def _nested(self, logical: str) -> "Stack | None":
        declared = self.template.resources[logical]
        properties = declared.get("Properties")
        properties = properties if isinstance(properties, Mapping) else {}
        name = f"{self.prefix}{logical}"
        file = self._file_of(name, properties.get("TemplateURL"), declared.get("Metadata"))
        document = _document(file) if file else None
        if file is None or document is None:
            if name not in self._tree.gaps and _PROVIDER not in _written(
                self.template.worked_out(properties.get("TemplateURL"))
            ):
                self._tree.gaps[name] = "its template is not beside the file, so its resources are not read"
            return None
        if name.count(".") >= _DEEPEST or self._tree.nested >= _MOST_NESTED:
            self._tree.gaps[name] = f"Muster reads at most {_MOST_NESTED} nested stacks, {_DEEPEST} in each other"
            return None
        self._tree.nested += 1
        self._tree.files[name] = file
        given = self.template.worked_out(properties.get("Parameters"))
        listed = given.items() if isinstance(given, Mapping) else ()
        values = {key: UNKNOWN if isinstance(each, Inside) else each for key, each in listed}
        return Stack(document, values, file, self._tree, f"{name}.")

    def _file_of(self, stack: str, url: Any, metadata: Any) -> Path | None:
        """The file of a nested stack's template: the path that the template has for it, the asset that CDK wrote
        beside it, or the file beside it with the name at the end of the address. A file elsewhere is a gap."""
        if str(self._path) == user_files.STDIN:
            return None
        asset = metadata.get("aws:asset:path") if isinstance(metadata, Mapping) else None
        written = _written(self.template.worked_out(url))
        last = written.rpartition("/")[2]
        names = [asset, written if "://" not in written else None, last, self._staged(last)]
        for name in names:
            if isinstance(name, str) and name and "\0" not in name and "${" not in name:
                file = self._path.parent / name
                if self._tree.folder is None or not user_files.is_inside(file, self._tree.folder):
                    what = f"its template {show_value(name)} is not in the folder of this file"
                    self._tree.gaps[stack] = f"{what}, so its resources are not read"
                    return None
                try:
                    if file.is_file():
                        return file
                except OSError:
                    continue
        return None

    def _staged(self, name: str) -> str | None:
        """The file that CDK uploads with a name: ``STACK.assets.json`` beside ``STACK.template.json`` lists it."""
        manifest = self._path.with_name(f"{self._path.name.partition('.')[0]}.assets.json")
        try:
            listed = json_text.load(user_files.read_text(manifest, user_files.MANIFEST, self._path.parent))
        except (user_files.CannotRead, json_text.NotJson):
            return None
        found = value_at(listed, "files", name.removesuffix(".json"), "source", "path")
        return found if isinstance(found, str) else None


def _assembly(folder: Path) -> Path:
    """The folder of CDK's assembly that a folder is in, or else the folder itself. An assembly has a file
    `cdk.out`, and so have those of the stages in it (`CloudAssemblyBuilder.buildAssembly` of aws-cdk)."""
    while (folder / _ASSEMBLY).is_file() and (folder.parent / _ASSEMBLY).is_file():
        folder = folder.parent
    return folder


_ASSEMBLY = "cdk.out"


_PROVIDER = "/parallelcluster/"
"""A part of the addresses of the templates that AWS publishes for ParallelCluster."""


def _written(url: Any) -> str:
    return url.shape if isinstance(url, Inside) else url if isinstance(url, str) else ""


_LOOP = "Fn::ForEach::"
_PROCESSED = "check what CloudFormation makes of it: `aws cloudformation get-template --template-stage Processed`"


def _has_macro(value: Any) -> bool:
    """Whether a macro or a loop adds keys to a block: `Fn::Transform` beside other keys."""
    if isinstance(value, Mapping):
        if ("Fn::Transform" in value and len(value) > 1) or any(str(key).startswith(_LOOP) for key in value):
            return True
        return any(map(_has_macro, value.values()))
    return isinstance(value, list) and any(map(_has_macro, value))


def _unset(document: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters without a default, or with a placeholder as default: their values are unknown."""
    parameters = document.get("Parameters")
    found: dict[str, Any] = {}
    for name, declared in parameters.items() if isinstance(parameters, Mapping) else ():
        default = declared.get("Default") if isinstance(declared, Mapping) else None
        if default is None or without_placeholders(default) is UNKNOWN:
            found[str(name)] = UNKNOWN
    return found


def _document(file: Path) -> Mapping[str, Any] | None:
    try:
        found = read(user_files.read_text(file, user_files.MANIFEST))
    except (user_files.CannotRead, NoTemplate):
        return None
    return found if isinstance(found.get("Resources"), Mapping) else None
