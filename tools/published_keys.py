"""Writes the blocks of `muster/sources/FORMAT/keys.json` from the schemas that the tools publish.

    python -m tools.published_keys parallelcluster
    python -m tools.published_keys hyperpod SCHEMA_OF_THE_CLI.json
    python -m tools.published_keys eksctl SCHEMA.json
    python -m tools.published_keys cloudformation
    python -m tools.published_keys karpenter OPENAPI.json CRD.yaml...

The schemas are those of AWS ParallelCluster's package (from PyPI, in an environment of its own), of SageMaker's API in
botocore, of CloudFormation in cfn-lint; and, given as files,
`hyperpod-cluster-stack-template/hyperpod_cluster_stack_template/v1_0/schema.json` of aws/sagemaker-hyperpod-cli,
`pkg/apis/eksctl.io/v1alpha5/assets/schema.json` of eksctl-io/eksctl, `pkg/apis/crds/` of aws/karpenter-provider-aws,
and what the API server of a rehearsal with all operators answers at `/openapi/v2`. What no rule evaluates (`unread`) is
kept as it is.
"""

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any

import botocore.session
import cfnlint.data.schemas
import yaml
from botocore.model import ListShape, MapShape, Shape, StructureShape

from muster import child_process
from muster.sources.cloudformation.converted import TABLE

SOURCES = Path(__file__).resolve().parent.parent / "muster" / "sources"

Blocks = dict[str, dict[str, str]]
Json = Mapping[str, Any]


class JsonSchema:
    """The blocks of JSON schemas."""

    def __init__(
        self, definitions: Json, forms: Json = MappingProxyType({}), prefix: str = "", *, merges: bool = False
    ) -> None:
        """Prepares it.

        Args:
            definitions: what references name.
            forms: type of a scalar -> its kind. Default: `any`, where the tool takes other values than its schema says.
            prefix: the beginning of the names of blocks.
            merges: whether a block that several others have is there once.
        """
        self._definitions, self._forms, self._prefix = definitions, forms, prefix
        self._first: dict[str, str] | None = {} if merges else None
        self.blocks: Blocks = {}

    def kind(self, schema: Json, name: str) -> str:
        """The kind of a value.

        Args:
            schema: its schema.
            name: the name of its block, if it is not in the definitions.
        """
        if "$ref" in schema:
            named = schema["$ref"].rpartition("/")[2]
            return self.kind(self._definitions[named], f"{self._prefix}{named}")
        if [*schema] == ["allOf"] or (len(schema.get("allOf", ())) == 1 and "properties" not in schema):
            return self.kind(schema["allOf"][0], name)
        if schema.get("properties"):
            return self._block(schema, name)
        match _types(schema):
            case ["object"] if isinstance(schema.get("additionalProperties"), Mapping):
                return f"{{{self.kind(schema['additionalProperties'], f'{name}.*')}}}"
            case ["array"]:
                return f"[{self.kind(schema.get('items', {}), name)}]"
            case [scalar]:
                return str(self._forms.get(scalar, "any"))
        return "any"

    def _block(self, schema: Json, name: str) -> str:
        if schema.get(_OPEN) or schema.get("additionalProperties") not in (None, False):
            return "any"
        if name not in self.blocks:
            self.blocks[name] = {}
            self.blocks[name] = {key: self.kind(each, f"{name}.{key}") for key, each in schema["properties"].items()}
        if self._first is None:
            return name
        first = self._first.setdefault(json.dumps(self.blocks[name], sort_keys=True), name)
        if first != name:
            del self.blocks[name]
        return first


_OPEN = "x-kubernetes-preserve-unknown-fields"


def _types(schema: Json) -> list[Any]:
    """The types of a value, without null."""
    of_each = [each.get("type") for each in ([schema] if "type" in schema else schema.get("anyOf", [schema]))]
    flat = [one for each in of_each for one in (each if isinstance(each, list) else [each])]
    return [each for each in flat if each != "null"]


PARALLELCLUSTER = ("3.1.5", "3.4.1", "3.7.2", "3.10.1", "3.13.2", "3.16.1")
"""The versions whose keys are known: a newer one has removed some."""
_PROGRAM = SOURCES.parent.parent / "tests" / "oracle" / "published_keys.py"


def parallelcluster(_: Iterable[Path]) -> Blocks:
    """The blocks of ParallelCluster's configuration, of all versions together. They run with what the newest needs: the
    older ones pin packages that today's Python cannot build."""
    with_newest = ("--with", f"aws-parallelcluster=={PARALLELCLUSTER[-1]}", "--with", "setuptools<81")
    python = ("uv", "run", "--quiet", "--no-project", "--isolated", "--python", "3.11", *with_newest, "python")
    made: Blocks = {}
    for version in PARALLELCLUSTER:
        with TemporaryDirectory() as folder:
            install = ("uv", "pip", "install", "--quiet", "--no-deps", "--target", folder)
            _printed(*install, f"aws-parallelcluster=={version}")
            newer: Blocks = json.loads(_printed(*python, "-W", "ignore", _PROGRAM, folder))
        made = {name: made.get(name, {}) | newer.get(name, {}) for name in {**made, **newer}}
    return made


def _printed(*command: str | Path) -> str:
    environment = child_process.environment(*child_process.DOWNLOADS, "UV_*")
    ran = child_process.run(command, env=environment, timeout=600)
    if ran.returncode:
        raise SystemExit(f"{command[0]} fails: {ran.stderr}")
    return ran.stdout


def hyperpod(files: Iterable[Path]) -> Blocks:
    """The blocks of requests to SageMaker, of its description of a cluster, and of the HyperPod CLI's configuration."""
    model = botocore.session.get_session().get_service_model("sagemaker")
    made: Blocks = {}
    for block, shape in (
        ("Request", "CreateClusterRequest"),
        ("Request", "UpdateClusterRequest"),
        ("Description", "DescribeClusterResponse"),
    ):
        members = _members(model.shape_for(shape), made)
        made[block] = made.get(block, {}) | members
    (file,) = files
    schema = JsonSchema({}, dict.fromkeys((None, "string", "str", "boolean", "integer", "number"), "value"))
    schema.kind(_json(file), "CliConfiguration")
    made["CliConfiguration"] = schema.blocks["CliConfiguration"] | _OF_CLI
    made["CliInstanceGroup"] = made["ClusterInstanceGroupSpecification"] | _OF_CLI_GROUP
    return made


_OF_CLI = {"template": "value", "version": "value", "tags": "any", "rig_settings": "any"}
_OF_CLI |= {"instance_group_settings": "[CliInstanceGroup]"}
"""The keys that the CLI itself reads (`init_utils.py`), and lists without a schema of their items."""
_OF_CLI_GROUP = {"InstanceGroupType": "value", "TargetAvailabilityZoneId": "value", "Tags": "any"}
"""The keys that the CLI's stack reads (`hyperpod-cluster-creator/lambda_function.py` of
aws/sagemaker-hyperpod-cluster-setup)."""


def _members(shape: Shape, made: Blocks) -> dict[str, str]:
    assert isinstance(shape, StructureShape)
    return {name: _kind(member, made) for name, member in shape.members.items()}


def _kind(shape: Shape, made: Blocks) -> str:
    if isinstance(shape, StructureShape):
        if shape.name not in made:
            made[shape.name] = {}
            made[shape.name] = _members(shape, made)
        return str(shape.name)
    if isinstance(shape, ListShape):
        return f"[{_kind(shape.member, made)}]"
    return f"{{{_kind(shape.value, made)}}}" if isinstance(shape, MapShape) else "value"


def eksctl(files: Iterable[Path]) -> Blocks:
    """The blocks of a ClusterConfig."""
    (file,) = files
    definitions = _json(file)["definitions"] | _OF_EKSCTL
    forms = {"string": "text", "boolean": "bool", "integer": "int", "number": "number"}
    schema = JsonSchema(definitions, forms)
    schema.kind({"$ref": "#/definitions/ClusterConfig"}, "")
    schema.blocks["NodeGroup"]["taints"] = "[NodeGroupTaint]|{text}"  # `taintsWrapper` also unmarshals a map
    return schema.blocks


_OF_EKSCTL = {"github.com|aws|aws-sdk-go-v2|aws|arn.ARN": {"type": "string"}, "IdentityProvider": {}}
"""Definitions that the schema lacks: these types unmarshal themselves."""


def cloudformation(_: Iterable[Path]) -> Blocks:
    """The blocks of a template, and of the types that Muster reads."""
    folder = Path(cfnlint.data.schemas.__path__[0])
    names = _json(folder / "providers" / "us-west-2.json")
    made: Blocks = {}
    for part, file in (("Template", "other/template"), ("Resource", "other/resources")):
        schema = JsonSchema({})
        found = _json(folder / file / "configuration.json")
        schema.kind(found["definitions"]["ResourceConfiguration"] if part == "Resource" else found, part)
        made |= {part: dict.fromkeys(schema.blocks[part], "any")}
    for type_ in sorted(TABLE.keys() & names.keys()):
        found = _json(folder / "resources" / f"{names[type_]}.json")
        schema = JsonSchema(found.get("definitions", {}), prefix=f"{type_}.")
        # What only CloudFormation writes, and a template cannot set: the Id of a resource, its Status.
        answered = {each.removeprefix("/properties/") for each in found.get("readOnlyProperties", ())}
        own = {key: each for key, each in found["properties"].items() if key not in answered}
        schema.kind(found | {"properties": own}, type_)
        made |= schema.blocks
    return made


def _json(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


def karpenter(files: Iterable[Path]) -> Blocks:
    """The blocks of Kubernetes objects and of Karpenter's."""
    openapi, *crds = files
    definitions = _json(openapi)["definitions"]
    schema = JsonSchema(definitions, merges=True)
    for definition in definitions.values():
        for each in definition.get("x-kubernetes-group-version-kind", ()):
            if "metadata" in definition["properties"] and not each["kind"].endswith("List"):
                _add_object(schema, definition["properties"], each["group"], each["version"], each["kind"])
    of_every = {"metadata": {"$ref": f"#/definitions/{_METADATA}"}}
    for crd in (yaml.safe_load(file.read_text(encoding="utf-8"))["spec"] for file in crds):
        for each in crd["versions"]:
            properties = each["schema"]["openAPIV3Schema"]["properties"] | of_every
            _add_object(schema, properties, crd["group"], each["name"], crd["names"]["kind"])
    return schema.blocks


_METADATA = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"


def _add_object(schema: JsonSchema, properties: Json, group: str, version: str, kind: str) -> None:
    """Adds the block of a kind, ``apps/v1.Deployment``, whose status nobody writes."""
    written = {key: {} if key == "status" else each for key, each in properties.items()}
    name = f"{group}/{version}.{kind}".removeprefix("/")
    schema.blocks[name] = schema.blocks[schema.kind({"properties": written}, name)]


FORMATS: Mapping[str, Callable[[Iterable[Path]], Blocks]] = {
    each.__name__: each for each in (parallelcluster, hyperpod, eksctl, cloudformation, karpenter)
}


def text(blocks: Blocks, unread: Json) -> str:
    """The file's text: a line for each block."""
    lines = []
    for name, kinds in sorted(blocks.items()):
        by_kind: dict[str, list[str]] = {}
        for key, kind in sorted(kinds.items()):
            by_kind.setdefault(kind, []).append(key)
        lines.append(f"{json.dumps(name)}: {json.dumps(by_kind, separators=(',', ':'))}")
    return '{"unread": ' + json.dumps(unread, indent=2) + ',\n"blocks": {\n' + ",\n".join(lines) + "\n}}\n"


def main(format_: str, *files: str) -> None:
    """Writes the blocks of one format."""
    table = SOURCES / format_ / "keys.json"
    unread = _json(table)["unread"] if table.exists() else {}
    table.write_text(text(FORMATS[format_](map(Path, files)), unread), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
