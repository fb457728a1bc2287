"""Programs in YAML: judged as those in Python are, and refused with the place of what is wrong."""

import json
import os
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from muster.fleet.registration import Registration
from muster.foreign.program import ProgramRun, run_program
from muster.foreign.project import CannotBeRead
from muster.unknown import UNKNOWN
from tests.foreign.written import a_project
from tests.foreign.written import ran as ran_in_python

HEAD = "name: theirs\nruntime: yaml\n"


def ran(folder: Path, program: str, files: Mapping[str, str] | None = None) -> ProgramRun:
    """Reads a program on the only stack of its project."""
    project = a_project(folder, "", {"Pulumi.yaml": HEAD + program, **(files or {})})
    return run_program(project, project.choose(None))


def resource(found: ProgramRun, name: str) -> Registration:
    """One resource of it, and no child that a component gave its own name."""
    return min((each for each in found.registrations if each.name == name), key=lambda each: len(each.urn))


def refused(folder: Path, program: str, files: Mapping[str, str] | None = None) -> str:
    """What is said of a program that is not right, the file's place taken out."""
    with pytest.raises(CannotBeRead) as fault:
        ran(folder, program, files)
    return str(fault.value).replace(f"{folder.resolve()}/", "")


CLUSTER = """
config:
  aws:region: us-west-2
  size: {type: integer, default: 4}
variables:
  policy:
    fn::invoke:
      function: aws:iam:getPolicyDocument
      arguments:
        statements: [{actions: ["sts:AssumeRole"], principals: [{type: Service, identifiers: [eks.amazonaws.com]}]}]
      return: json
resources:
  west:
    type: pulumi:providers:aws
    defaultProvider: true
    properties: {region: eu-west-1}
  role:
    type: aws:iam:Role
    properties: {assumeRolePolicy: "${policy}"}
  subnet:
    type: aws:ec2:Subnet
    properties: {vpcId: vpc-1, cidrBlock: 10.0.0.0/24}
  cluster:
    type: aws:eks:Cluster
    properties:
      roleArn: ${role.arn}
      vpcConfig: {subnetIds: ["${subnet.id}"], endpointPublicAccess: false}
  nodes:
    type: aws:eks/nodeGroup:NodeGroup
    name: workers
    properties:
      clusterName: ${cluster.name}
      nodeRoleArn: ${role.arn}
      subnetIds: ${cluster.vpcConfig.subnetIds}
      scalingConfig: {minSize: "${size}", maxSize: "${size}", desiredSize: "${size}"}
      tags: {text: "of-${cluster.name}"}
    options: {dependsOn: ["${role}"], protect: true, ignoreChanges: [scalingConfig.desiredSize]}
"""
IN_PYTHON = """
region = {"region": "eu-west-1"}


class West(pulumi.ProviderResource):
    def __init__(self):
        super().__init__("aws", "west", region)


class Role(pulumi.CustomResource):
    arn: pulumi.Output[str]
    def __init__(self, props, opts):
        super().__init__("aws:iam/role:Role", "role", {**props, "arn": None}, opts)


class Cluster(pulumi.CustomResource):
    name: pulumi.Output[str]
    vpcConfig: pulumi.Output[dict]
    def __init__(self, props, opts):
        super().__init__("aws:eks/cluster:Cluster", "cluster", {**props, "name": None}, opts)


west = West()
opts = pulumi.ResourceOptions(provider=west)
asked = {"statements": [{"actions": ["sts:AssumeRole"],
                         "principals": [{"type": "Service", "identifiers": ["eks.amazonaws.com"]}]}]}
token = "aws:iam/getPolicyDocument:getPolicyDocument"
policy = pulumi.runtime.invoke(token, asked, pulumi.InvokeOptions(provider=west)).value["json"]
role = Role({"assumeRolePolicy": policy}, opts)
subnet = Any("aws:ec2/subnet:Subnet", "subnet", {"vpcId": "vpc-1", "cidrBlock": "10.0.0.0/24"}, opts)
config = {"subnetIds": [subnet.id], "endpointPublicAccess": False}
cluster = Cluster({"roleArn": role.arn, "vpcConfig": config}, opts)
size = 4
more = pulumi.ResourceOptions(
    provider=west, depends_on=[role], protect=True, ignore_changes=["scalingConfig.desiredSize"]
)
Any("aws:eks/nodeGroup:NodeGroup", "workers", {
    "clusterName": cluster.name, "nodeRoleArn": role.arn,
    "subnetIds": cluster.vpcConfig.apply(lambda each: each["subnetIds"]),
    "scalingConfig": {"minSize": size, "maxSize": size, "desiredSize": size},
    "tags": {"text": cluster.name.apply(lambda name: f"of-{name}")},
}, more)
"""


def test_it_registers_what_the_same_in_python_registers(tmp_path: Path) -> None:
    """Types, names, inputs, providers, options, and what each input is made of."""
    theirs = ran_in_python(tmp_path / "py", IN_PYTHON, {"Pulumi.dev.yaml": "config: {aws:region: us-west-2}\n"})
    ours = ran(tmp_path / "yaml", CLUSTER)

    def seen(found: ProgramRun) -> dict[str, object]:
        return {
            each.urn: (
                each.type,
                # A list with an unknown element stays one, or is unknown as a whole: by the SDK.
                {key: value for key, value in each.inputs.items() if key != "subnetIds"},
                each.parent,
                each.custom,
                each.dependencies,
                each.property_dependencies,
                {key: value for key, value in each.options.items() if key != "version"},
            )
            for each in found.registrations
        }

    assert seen(ours) == seen(theirs)
    assert (ours.region, theirs.region) == ("us-west-2", "us-west-2")
    assert resource(ours, "workers").inputs["subnetIds"] in ([UNKNOWN], UNKNOWN)


def test_expressions(tmp_path: Path) -> None:
    """Functions and references: what a preview knows is known, the rest is not."""
    program = """
variables:
  list: [a, b, {c: d}]
  object: {"key with spaces": [1, 2]}
resources:
  one: {type: "any:a:B"}
  seen:
    type: "any:a:B"
    properties:
      join: {"fn::join": ["-", ["a", "${pulumi.stack}", "${pulumi.project}"]]}
      select: {"fn::select": [1, "${list}"]}
      split: {"fn::split": [",", "a,b"]}
      json: {"fn::toJSON": {Version: 2012-10-17, n: 3.0, on: true, no: null, list: ["${list[2].c}"]}}
      base64: {"fn::toBase64": text}
      text: {"fn::fromBase64": dGV4dA==}
      secret: {"fn::secret": {deep: "${list[0]}"}}
      index: ${object["key with spaces"][1]}
      dollars: $$5 costs $5, $${not.this}
      number: ${list[0]}${object["key with spaces"][0]}
      length: {"fn::length": "${list}"}
      file: {"fn::readFile": ./text.txt}
      unknown: ${one.id}
      inText: "arn:${one.arn}"
      inJson: {"fn::toJSON": ["${one.id}"]}
      joined: {"fn::join": ["", ["${one.id}"]]}
      deepUnknown: ${one.status[0].address}
      given: ${seen2.size}
      archive: {"fn::fileArchive": ./app}
      keys: {"${list[0]}": key}
  seen2: {type: "any:a:B", properties: {size: 5}}
"""
    found = resource(ran(tmp_path, program, {"text.txt": "of a file\n"}), "seen").inputs
    known = {key: value for key, value in found.items() if value is not UNKNOWN}
    archive = known.pop("archive")
    assert isinstance(archive, dict)
    assert archive["path"] == "./app"
    assert known == {
        "join": "a-dev-theirs",
        "select": "b",
        "split": ["a", "b"],
        "json": '{"Version":"2012-10-17","list":["d"],"n":3,"no":null,"on":true}',
        "base64": "dGV4dA==",
        "text": "text",
        "secret": {"deep": "a"},
        "index": 2,
        "dollars": "$5 costs $5, ${not.this}",
        "number": "a1",
        "length": 3,
        "file": "of a file\n",
        "given": 5,
        "keys": {"a": "key"},
    }
    assert set(found) - set(known) == {"unknown", "inText", "inJson", "joined", "deepUnknown", "archive"}


def test_configuration(tmp_path: Path) -> None:
    """The stack's values by the type that is asked for, defaults where it has none, and encrypted ones unknown."""
    program = """
configuration:
  size: {type: Integer}
  name: {type: String, default: "n-${size}"}
  zones: {type: "List<String>"}
  version: {type: string}
  key: {type: string}
resources:
  one:
    type: "any:a:B"
    properties:
      all: ["${size}", "${name}", "${zones[1]}", "${version}", "${key}", "${undeclared}", "${aws:region}"]
      qualified: ${theirs:size}
"""
    stack = (
        "config:\n  aws:region: us-west-2\n  theirs:size: 4\n  theirs:zones: [a, b]\n  theirs:version: '1.30'\n"
        "  theirs:undeclared: true\n  theirs:key: {secure: v1:x}\n"
    )
    found = resource(ran(tmp_path, program, {"Pulumi.dev.yaml": stack}), "one").inputs
    assert found == {"all": [4, "n-4", "b", "1.30", UNKNOWN, True, "us-west-2"], "qualified": 4}
    wrong = stack.replace("size: 4", "size: four")
    assert refused(tmp_path, program, {"Pulumi.dev.yaml": wrong}) == (
        "Pulumi.yaml:5:3: the stack sets 'size' to a string, but the program declares the type Integer; change the "
        "value or the type"
    )
    without = stack.replace("  theirs:size: 4\n", "")
    assert refused(tmp_path, program, {"Pulumi.dev.yaml": without}) == (
        "Pulumi.yaml:5:3: stack 'dev' does not set 'size', which the program requires; set it in Pulumi.dev.yaml"
    )


@pytest.mark.parametrize("value", ["[NaN]", r'["\ud800"]', f"[1{'0' * 400}]", f"{'[' * 200}{']' * 200}"])
def test_configuration_that_is_no_json_is_text(value: str, tmp_path: Path) -> None:
    """What no JSON of the engine's has, and no text can be made of, is not taken for a structure."""
    program = "variables:\n  text: 'of ${odd}'\n  digest: {fn::sha1: '${odd}'}\noutputs: {odd: '${odd}'}\n"
    ran(tmp_path, program, {"Pulumi.dev.yaml": f"config:\n  odd: '{value}'\n"})
    stack = {"Pulumi.dev.yaml": "config:\n  odd: '[1e400]'\n"}
    said = refused(tmp_path, "variables:\n  one: {fn::select: ['${odd[0]}', [a, b]]}\n", stack)
    assert said == "Pulumi.yaml:4:22: index inf is outside the list; number of elements: 2; count from 0"


def test_numbers_are_those_of_the_engine(tmp_path: Path) -> None:
    """As Go's YAML reader has them: the mode of a volume is often written in base 8. Plain dates are text."""
    program = """
resources:
  one:
    type: "any:a:B"
    properties: {all: [0755, 0o755, 0x1F, 1e3, 08, -017, 2012-10-17, "0755", 1.50]}
"""
    numbers = [493, 493, 31, 1000, 8, -15, "2012-10-17", "0755", 1.5]
    assert resource(ran(tmp_path, program), "one").inputs == {"all": numbers}
    said = refused(tmp_path, program.replace("0x1F", ".inf"))
    assert said == "Pulumi.yaml:7:37: .inf is read in two ways; write a plain decimal number, or text in quotes"


def test_sections_are_named_in_any_letters(tmp_path: Path) -> None:
    """As the language reads them: none is passed over as empty."""
    program = """
Configuration: {size: {type: integer, default: 4}}
Variables: {nodes: "${size}"}
Resources: {one: {type: "aws:s3:Bucket", properties: {bucket: "b-${nodes}"}}}
Outputs: {plain: "${nodes}", hidden: {"fn::secret": "${nodes}"}}
"""
    found = ran(tmp_path, program)
    assert resource(found, "one").inputs["bucket"] == "b-4"
    stack = next(each for each in found.registrations if each.type == "pulumi:pulumi:Stack")
    assert stack.outputs == {"plain": 4, "hidden": 4}
    assert stack.secrets == {"hidden"}


def test_components_and_what_exists(tmp_path: Path) -> None:
    """pulumi-eks has its children, of awsx nothing is seen and that is told, and `get:` is not judged."""
    program = """
resources:
  vpc: {type: "awsx:ec2:Vpc"}
  cluster:
    type: eks:Cluster
    properties: {vpcId: "${vpc.vpcId}", privateSubnetIds: "${vpc.privateSubnetIds}"}
  group:
    type: eks:ManagedNodeGroup
    properties: {cluster: "${cluster}", nodeRoleArn: "arn:aws:iam::1:role/x", instanceTypes: [p5.48xlarge]}
  bucket: {type: "aws:s3:Bucket", get: {id: theirs, state: {tags: {a: b}}}}
  child:
    type: kubernetes:core/v1:Namespace
    properties: {metadata: {name: "${bucket.bucket}", labels: "${bucket.tags}"}}
    options: {parent: "${cluster}"}
outputs: {config: "${cluster.kubeconfig}", core: "${cluster.core.cluster.name}"}
"""
    found = ran(tmp_path, program)
    types = {each.type for each in found.registrations}
    assert {"aws:eks/cluster:Cluster", "aws:eks/nodeGroup:NodeGroup", "eks:index:ManagedNodeGroup"} <= types
    assert "aws:s3/bucket:Bucket" not in types
    vpc = resource(found, "vpc")
    assert (vpc.type, vpc.custom) == ("awsx:ec2:Vpc", False)
    assert [gap.missing for gap in found.gaps if gap.where == vpc.urn] == [
        "only the provider knows the resources that awsx:ec2:Vpc creates"
    ]
    child = resource(found, "child")
    assert child.inputs["metadata"] == {"name": "theirs", "labels": {"a": "b"}}
    assert child.parent == resource(found, "cluster").urn


def test_providers_are_handed_down(tmp_path: Path) -> None:
    """From a parent to its children, unless they have one of their own."""
    program = """
resources:
  west: {type: "pulumi:providers:aws", properties: {region: us-west-2}}
  east: {type: "pulumi:providers:aws", properties: {region: us-east-1}}
  parent: {type: "aws:ec2:Vpc", options: {provider: "${west}"}}
  child: {type: "aws:ec2:Subnet", options: {parent: "${parent}"}}
  own: {type: "aws:ec2:Subnet", options: {parent: "${parent}", provider: "${east}"}}
"""
    found = ran(tmp_path, program)
    providers = {name: str(resource(found, name).options["provider"]) for name in ("parent", "child", "own")}
    assert {name: each.split("::")[3] for name, each in providers.items()} == {
        "parent": "west",
        "child": "west",
        "own": "east",
    }


@pytest.mark.parametrize(
    ("written", "type_"),
    [
        ("aws:s3:Bucket", "aws:s3/bucket:Bucket"),
        ("aws:eks:nodegroup", "aws:eks/nodeGroup:NodeGroup"),
        ("aws:eks/nodeGroup:NodeGroup", "aws:eks/nodeGroup:NodeGroup"),
        ("random:RandomString", "random:index/randomString:RandomString"),
        ("aws-native:eks:Cluster", "aws-native:eks:Cluster"),
        ("kubernetes:apps/v1:Deployment", "kubernetes:apps/v1:Deployment"),
        ("eks:Cluster", "eks:index:Cluster"),
    ],
)
def test_short_types(written: str, type_: str, tmp_path: Path) -> None:
    """Each as its provider has it."""
    found = ran(tmp_path, f"resources:\n  one: {{type: '{written}'}}\n")
    assert resource(found, "one").type == type_


def test_components_of_their_own(tmp_path: Path) -> None:
    """A package that is a folder, or a repository, has components; what they make is told as not seen."""
    program = "packages: {ours: ./ours}\nresources:\n  one: {type: 'ours:Thing'}\n"
    found = ran(tmp_path, program)
    assert (resource(found, "one").type, resource(found, "one").custom) == ("ours:index:Thing", False)
    assert [gap.where for gap in found.gaps] == [resource(found, "one").urn]


def test_a_type_that_nobody_knows_is_told(tmp_path: Path) -> None:
    """It may be newer than Muster's SDKs: it is no fault, and no pass."""
    found = ran(tmp_path, "resources:\n  one: {type: 'aws:eks:Clustr'}\n")
    assert [gap.missing for gap in found.gaps] == [
        (
            "Muster does not know this resource type (did you mean 'aws:eks/cluster:Cluster'?), so no rule evaluates "
            "the resource"
        )
    ]


def test_where_the_program_is(tmp_path: Path) -> None:
    """In Main.yaml of the folder that `main` names, before Pulumi.yaml; JSON is read, too."""
    one = "resources: {one: {type: 'any:a:B', properties: {cwd: '${pulumi.cwd}', file: {fn::readFile: ../a.txt}}}}\n"
    files = {"infra/Main.yaml": one, "a.txt": "a"}
    found = ran(tmp_path, "main: infra\n", files)
    assert resource(found, "one").inputs == {"cwd": f"{tmp_path.resolve()}/infra", "file": "a"}
    as_json = json.dumps({"resources": {"two": {"type": "any:a:B"}}})
    assert resource(ran(tmp_path, "main: infra\n", {**files, "infra/Main.json": as_json}), "two").inputs == {}


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (
            "variables:\n  a: ${b}\n  b: ['${c.x}']\n  c: {y: '${a}'}\n",
            (
                "Pulumi.yaml:6:10: the references form a cycle: 'a', which needs 'b', which needs 'c', which needs "
                "'a'; remove one of the references"
            ),
        ),
        (
            "resources:\n  one: {type: 'a:b:C', options: {dependsOn: ['${onne}']}}\noutputs:\n  x: ${two.id}\n",
            (
                "Pulumi.yaml:4:46: no resource, variable or configuration value is called 'onne'; did you mean "
                "'one'?\nPulumi.yaml:6:6: no resource, variable or configuration value is called 'two'; declare it, or "
                "correct the name"
            ),
        ),
        (
            "variables:\n  a: {fn::jion: ['', []]}\n",
            "Pulumi.yaml:4:7: function 'fn::jion' does not exist; did you mean 'fn::join'?",
        ),
        (
            "variables:\n  a: {fn::join: ['', []], b: c}\n",
            "Pulumi.yaml:4:7: 'fn::join' has other keys beside it; write the function as the only key of its block",
        ),
        (
            "variables:\n  a: {fn::join: x}\n",
            "Pulumi.yaml:4:17: needs a list of two elements: a separator, and a list of strings; write [first, second]",
        ),
        (
            "variables:\n  a: {fn::select: [2, [a]]}\n",
            "Pulumi.yaml:4:20: index 2 is outside the list; number of elements: 1; count from 0",
        ),
        (
            "resources:\n  a: {properties: {}}\n",
            "Pulumi.yaml:4:3: resource 'a' has no type; write a type, such as type: aws:s3:Bucket",
        ),
        (
            "resources:\n  a: {type: 'a:b:C', propertys: {}}\n",
            "Pulumi.yaml:4:22: 'propertys' is not a key of a resource; did you mean 'properties'?",
        ),
        (
            "resources:\n  a: {type: 'a:b:C', options: {parnt: x}}\n",
            "Pulumi.yaml:4:32: option 'parnt' does not exist; did you mean 'parent'?",
        ),
        (
            "resources:\n  a: {type: 'kubernetes:helm.sh/v3:Chart'}\n",
            (
                "Pulumi.yaml:4:13: programs in YAML cannot have kubernetes:helm.sh/v3:Chart; "
                "use kubernetes:helm.sh/v4:Chart"
            ),
        ),
        (
            "resources:\n  a: {type: 'a:b:C'}\n  b: {type: 'a:b:C', name: a}\n",
            "Pulumi.yaml:5:3: two resources of type a:b/c:C have the name 'a'; rename one of them",
        ),
        (
            "variables:\n  a: x${b\n",
            "Pulumi.yaml:4:6: '${' is not closed; write ${name.property}; for a dollar sign, write $$",
        ),
        (
            "variables:\n  a: b\n  c: ${a.d}\n",
            "Pulumi.yaml:5:6: 'a' is a string, so 'd' does not exist; refer to something that exists",
        ),
        (
            "variables:\n  a: [b]\n  c: ${a[3]}\n",
            "Pulumi.yaml:5:6: 'a' has 1 element, so element 3 does not exist; refer to something that exists",
        ),
        (
            "variables:\n  a: {fn::invoke: {function: getAmi}}\n",
            "Pulumi.yaml:4:7: 'getAmi' is not a valid name of a function; write a name such as aws:ec2:getAmi",
        ),
        ("resources: [a]\n", "Pulumi.yaml:3:12: resources is a list; write a block of keys and values"),
        (
            "resources:\n  a: {type: 'a:b:C', properties: {x: 1, x: 2}}\n",
            "Pulumi.yaml:4:41: key 'x' is a duplicate (first on line 4); keep one of the two",
        ),
        (
            "resources:\n  a: {type: 'eks:Cluster', properties: {vpcId: 'x-${b}'}}\n  b: {type: 'a:b:C'}\n",
            (
                "Pulumi.yaml:4:48: 'b' is used inside a string, and it is a resource; refer to one of its "
                "properties, such as .id"
            ),
        ),
    ],
)
def test_what_is_wrong_has_its_place(program: str, words: str, tmp_path: Path) -> None:
    """What was found, and what to do."""
    assert refused(tmp_path, program) == words


def test_properties_of_the_wrong_kind(tmp_path: Path) -> None:
    """There is no schema here that would refuse them; they are no bug of Muster's."""
    program = "resources:\n  a: {type: 'eks:Cluster', properties: {tags: [x]}}\n"
    assert refused(tmp_path, program) == (
        "Pulumi.yaml:4:3: eks:index:Cluster does not accept these properties (TypeError); compare them with the type's "
        "documentation"
    )


def aliased_twice_each() -> str:
    """Some lines of YAML that would be a million values."""
    return "a0: &a0 [x, x]\n" + "".join(f"a{at}: &a{at} [*a{at - 1}, *a{at - 1}]\n" for at in range(1, 20))


@pytest.mark.parametrize(
    ("function", "arguments", "words"),
    [
        ("kubernetes:yaml:decode", {"text": "["}, "kubernetes:yaml:decode: the text is not YAML: "),
        ("kubernetes:yaml:decode", {"text": aliased_twice_each()}, "has more than 100000 keys and values"),
        ("pulumi:pulumi:getResource", {"urn": "x"}, "a reference to x, which the program does not register"),
    ],
)
def test_questions_that_have_no_answer(function: str, arguments: Mapping[str, str], words: str, tmp_path: Path) -> None:
    """A question that a provider would answer with an error is refused in words, at its place."""
    asked = {"variables": {"a": {"fn::invoke": {"function": function, "arguments": arguments}}}}
    said = refused(tmp_path, "", {"Main.json": json.dumps(asked)})
    assert said.startswith("Main.json:1:22: ")
    assert words in said


def test_no_file_outside_is_read(tmp_path: Path) -> None:
    """By no path, no link, and nothing that is no regular file or has no end."""
    (tmp_path / "secret").write_text("hush")
    folder = tmp_path / "theirs"
    folder.mkdir()
    (folder / "link").symlink_to(tmp_path / "secret")
    (folder / "zero").symlink_to("/dev/zero")
    os.mkfifo(folder / "pipe")
    (folder / "large").write_bytes(b"x" * 2**21)
    for name, words in {
        "../secret": "is outside the project, so Muster does not read it; move the file into",
        str(tmp_path / "secret"): "is outside the project, so Muster does not read it",
        "link": "is outside the project, so Muster does not read it",
        "zero": "is outside the project, so Muster does not read it",
        "pipe": "pipe: is a named pipe, not a regular file",
        "large": (
            "large: has 2.0 MiB, but Muster reads at most 1.0 MiB; copy the part that the program needs into a smaller "
            "file"
        ),
        ".": "is a folder, not a file",
        "gone": "gone: the file does not exist; check the path",
    }.items():
        said = refused(folder, f"variables:\n  a: {{fn::readFile: '{name}'}}\n")
        assert said.startswith("Pulumi.yaml:4:21: ")
        assert words in said


def doubled(kind: str) -> str:
    """Each variable is the former, twice."""
    return "variables:\n  a0: xxxxxxxx\n" + "".join(
        f"  a{at}: {kind.format(f'${{a{at - 1}}}')}\n" for at in range(1, 50)
    )


def aliased() -> str:
    """Each list has the former four times, by aliases."""
    return "variables:\n  a0: &a0 [x]\n" + "".join(
        f"  a{at}: &a{at} [*a{at - 1}, *a{at - 1}, *a{at - 1}, *a{at - 1}]\n" for at in range(1, 30)
    )


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (doubled("'{0}{0}'"), "the program has more than 200000 values and pieces of text"),
        (doubled("['{0}', '{0}']"), "the program has more than 200000 values and pieces of text"),
        (aliased(), "use fewer aliases"),
        (f"variables:\n  a: {'[' * 80}{']' * 80}\n", "is nested too deeply: more than 60 levels of blocks"),
        (f"variables:\n  a: {'[' * 5000}{']' * 5000}\n", "is nested too deeply: more than 100 blocks"),
        (
            "variables:\n  a0: x\n" + "".join(f"  a{at}: ['${{a{at - 1}}}']\n" for at in range(1, 2000)),
            "is nested too deeply: more than 60 levels of blocks",
        ),
    ],
    ids=["texts", "lists", "aliases", "depth", "great-depth", "depth-by-names"],
)
def test_hostile_programs_are_refused_in_time(program: str, words: str, tmp_path: Path) -> None:
    """Nothing grows without end."""
    before = time.process_time()
    assert words in refused(tmp_path, program)
    assert time.process_time() - before < 4


def test_names_in_a_long_row(tmp_path: Path) -> None:
    """Thousands that hang on each other, the last first, are no recursion of ours."""
    rows = "".join(f"  a{at}: ${{a{at - 1}}}\n" for at in range(3000, 0, -1))
    program = f"variables:\n{rows}  a0: x\nresources: {{one: {{type: 'any:a:B', properties: {{a: '${{a3000}}'}}}}}}\n"
    assert resource(ran(tmp_path, program), "one").inputs == {"a": "x"}


def test_a_compiler_is_not_run(tmp_path: Path) -> None:
    """It is somebody's command."""
    text = "name: theirs\nruntime: {name: yaml, options: {compiler: touch made}}\n"
    project = a_project(tmp_path, "", {"Pulumi.yaml": text})
    with pytest.raises(
        CannotBeRead, match="a compiler generates the program, and Muster does not run it; run the compiler"
    ):
        run_program(project, "dev")
    assert not (tmp_path / "made").exists()


def test_nothing_of_python_is_asked_for(tmp_path: Path) -> None:
    """An interpreter that is named, and packages to install, are refused."""
    project = a_project(tmp_path, "", {"Pulumi.yaml": HEAD})
    with pytest.raises(CannotBeRead, match="--python: the program is in YAML"):
        run_program(project, "dev", python=Path("python3"))
    with pytest.raises(CannotBeRead, match="--install: the program is in YAML"):
        run_program(project, "dev", install=True)
