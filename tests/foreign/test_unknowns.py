"""Programs go on with answers that nobody knows here, and nothing that they make of them is sent as known."""

import json
from pathlib import Path

import pytest

from muster.foreign.program import ProgramFailed, ProgramRun, run_program
from muster.unknown import UNKNOWN
from tests.foreign.written import a_project, inputs, ran

TYPED = """
import base64, ipaddress, json, math
from typing import Mapping, Optional, Sequence

import yaml


def answers(**kinds):
    def init(__self__, **values):
        for name, value in values.items():
            kind = kinds[name]
            if value and kind in (str, bool, int, float) and not isinstance(value, kind):
                raise TypeError(f"Expected argument '{name}' to be a {kind.__name__}")
            pulumi.set(__self__, name, value)

    def getting(name, kind):
        def get(self):
            return pulumi.get(self, name)

        get.__name__, get.__annotations__ = name, {"return": kind}
        get = pulumi.getter(get)
        return property(get)

    # The SDK's classes say each field by name; so does this one.
    names = ", ".join(f"{name}=None" for name in kinds)
    space = {"made": init}
    exec(f"def __init__(__self__, *, {names}):\\n made(__self__, " + ", ".join(f"{n}={n}" for n in kinds) + ")", space)
    body = {"__init__": space["__init__"], **{name: getting(name, kind) for name, kind in kinds.items()}}
    return pulumi.output_type(type("Answer", (dict,), body))


Inner = answers(size=int, name=str)
Of = answers(
    arn=str, cidr_block=str, count=int, share=float, flag=bool, ids=Sequence[str], tags=Mapping[str, str], text=str,
    inner=Inner, blocks=Sequence[Inner], maybe=Optional[str],
)
one = pulumi.runtime.invoke("other:a/getOne:getOne", {}, typ=Of).value
"""

USES = {
    "a part of a text": "f'vpc/{one.text}'",
    "other letters": "one.text.upper()",
    "its end": "one.text[-8:]",
    "the first of its parts": "one.text.split('-')[0]",
    "a part that may not be there": "one.text.split(',')[5]",
    "two parts": "[each for each in [*one.text.split(',')]][1]",
    "the account in an ARN": "one.arn.split(':')[4]",
    "what an ARN ends with": "one.arn.rpartition('/')[2]",
    "letter by letter": "''.join(each for each in one.text if each.isalnum())",
    "a network": "str(list(ipaddress.ip_network(one.cidr_block).subnets(new_prefix=20))[3])",
    "the start of a network": "'.'.join(one.cidr_block.split('.')[:2]) + '.9.0/24'",
    "one more": "one.count + 1",
    "a half": "one.count // 2",
    "a share": "math.ceil(one.share * 3)",
    "a float of a number": "one.count * 0.5",
    "a number in words": "str(one.count)",
    "a number in a form": "f'{one.count:02d} {one.share:.1f}'",
    "a flag": "one.flag",
    "a flag in words": "f'{one.flag}'",
    "a list": "one.ids",
    "the first three": "one.ids[:3]",
    "the third": "one.ids[2]",
    "a list in a text": "','.join(one.ids)",
    "a tag": "one.tags['Name']",
    "a tag or another": "one.tags.get('Name', 'none')",
    "a part of an object": "one.inner.size",
    "a part of an object in a list": "one.blocks[1].name",
    "what is optional": "one.maybe",
    "JSON read": "json.loads(one.text)['image']['id']",
    "JSON written": "json.dumps({'at': [one.text]})",
    "a number in JSON": "json.dumps({'n': one.count, 'ok': one.flag})",
    "YAML written": "yaml.safe_dump({'at': one.text, 'n': one.count, 'ids': one.ids})",
    "base64 of a script": "base64.b64encode(f'#!/bin/sh\\njoin {one.text}'.encode()).decode()",
    "base64 read": "base64.b64decode(one.text).decode()",
}


KNOWN = """
known = {"text": json.dumps({"n": 1, "l": [True]}), "read": json.loads('{"a": 1}'), "n": one.tags is not None,
         "script": base64.b64encode(b"#!/bin/sh").decode(), "beside": [one.text, "subnet-1"], "cidr": "10.240.7.0/24"}
Any("a:b:C", "known", known)
for at in range(4):
    Any("a:b:D", f"of-{one.ids[at]}", {"id": one.ids[at]})
for each in one.ids[4:6]:
    Any("a:b:D", f"of-{each}", {"id": each})
if one.flag or one.count > 100:
    raise ValueError("a branch takes one side")
"""


@pytest.fixture(scope="module")
def uses(tmp_path_factory: pytest.TempPathFactory) -> ProgramRun:
    """One program that uses unknown values in many ways."""
    listed = ", ".join(f"{name!r}: {use}" for name, use in USES.items())
    return ran(tmp_path_factory.mktemp("theirs"), f"{TYPED}Any('a:b:C', 'made', {{{listed}}})\n{KNOWN}")


def test_whatever_a_program_makes_of_it_is_unknown(uses: ProgramRun) -> None:
    """Texts, numbers, truth values, lists and objects, and what is computed of them."""
    made = inputs(uses, "made")
    assert {name: value for name, value in made.items() if value is not UNKNOWN and name != "arn"} == {}


def test_what_is_known_stays_known(uses: ProgramRun) -> None:
    """Only what has an unknown part is unknown: texts, documents and numbers beside it are sent as they are."""
    seen = dict(inputs(uses, "known"))
    assert seen.pop("beside") == [UNKNOWN, "subnet-1"]
    assert seen == {
        "text": '{"n": 1, "l": [true]}',
        "read": {"a": 1},
        "n": True,
        "script": "IyEvYmluL3No",
        "cidr": "10.240.7.0/24",
    }


def test_a_resource_for_each_of_a_list(uses: ProgramRun) -> None:
    """Elements are told apart, so that names made of them are."""
    made = [each for each in uses.registrations if each.type == "a:b:D"]
    assert [each.inputs["id"] for each in made] == [UNKNOWN] * 6


def test_a_text_that_must_be_a_number_is_refused_in_words(tmp_path: Path) -> None:
    """Python has no number that is not known: the program ends where it asks for one, and is told what to do."""
    with pytest.raises(ProgramFailed) as failed:
        ran(tmp_path, TYPED + "int(one.text)\n")
    first, second = str(failed.value).splitlines()
    assert "ValueError: invalid literal for int()" in first
    assert (
        "(other:a/getOne:getOne). If that is the cause, check a saved plan of the program instead (--plan)."
    ) in second


AWS = """
import pulumi_aws as aws
import pulumi_eks as eks

vpc, subnets = aws.ec2.get_vpc(default=True), aws.ec2.get_subnets(filters=[])
given = {
    "vpc": f"{vpc.id}", "all": subnets.ids, "first": subnets.ids[0], "typed": aws.ec2.get_subnet(id="subnet-1").id,
    "zone": aws.ec2.get_subnet(id="subnet-1").availability_zone, "image": aws.ec2.get_ami(owners=["amazon"]).id,
    "version": aws.eks.get_cluster(name="one").version, "name": aws.eks.get_cluster(name="one").name,
    "later": aws.ec2.get_subnets_output().ids,
    "network": aws.ec2.get_vpc_output().cidr_block.apply(lambda c: c.split('/')[0]),
    "got": aws.ec2.Vpc.get("got", vpc.id).id, "known": aws.ec2.Vpc.get("known", "vpc-1").id,
    "document": aws.iam.get_policy_document(statements=[{"actions": ["s3:*"], "resources": [f"x/{vpc.id}"]}]).json,
    "untyped": pulumi.runtime.invoke("aws:ec2/getSubnets:getSubnets", {}).value["ids"],
    "config": eks.Cluster("c", vpc_id=vpc.id, subnet_ids=subnets.ids).get_kubeconfig(),
}
Any("a:b:C", "one", given)
"""


def test_ids_of_the_account_are_unknown(tmp_path: Path) -> None:
    """Whichever way a program asks AWS's SDK; what the program itself names is kept."""
    seen = dict(inputs(ran(tmp_path, AWS, {"Pulumi.dev.yaml": "config: {'aws:region': us-west-2}\n"}), "one"))
    assert {name: value for name, value in seen.items() if value is not UNKNOWN} == {
        "typed": "subnet-1",
        "name": "one",
        "known": "vpc-1",
    }


def test_resources_named_by_what_is_not_known(tmp_path: Path) -> None:
    """A log group is often named after its cluster, whose name only AWS makes. Nothing is known of such a resource,
    and no name or block that is unknown as a whole is a bug."""
    named = {
        "aws:cloudwatch:LogGroup": "name",
        "aws:iam:Role": "name",
        "aws:s3:Bucket": "bucket",
        "aws:ec2:KeyPair": "keyName",
        "aws:eks:NodeGroup": "clusterName",
        "aws:eks:Cluster": "vpcConfig",
    }
    resources: dict[str, object] = {"vpc": {"type": "aws:ec2:Vpc"}}
    for at, (type_, key) in enumerate(named.items()):
        resources[f"made{at}"] = {"type": type_, "properties": {key: "${vpc.id}"}}
        resources[f"after{at}"] = {"type": "a:b:C", "properties": {"arn": f"${{made{at}.arn}}"}}
    files = {"Pulumi.yaml": "name: theirs\nruntime: yaml\n", "Main.json": json.dumps({"resources": resources})}
    project = a_project(tmp_path, "", files)
    made = {each.name: each.inputs for each in run_program(project, "dev").registrations}
    assert [made[f"after{at}"] for at in range(len(named))] == [{"arn": UNKNOWN}] * len(named)
