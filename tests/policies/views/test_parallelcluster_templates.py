"""Templates of ParallelCluster that are elsewhere, half-known, made by others, or not to be read at all."""

import json
from base64 import b64encode
from typing import Any

import pytest
import yaml

from muster.fleet.registration import Registration
from muster.fleet.resources import ClosedTemplate, ParallelCluster, Ref
from muster.fleet.resources.parallelcluster import COMPUTE_RESOURCE, TEMPLATE
from muster.fleet.resources.ref import BUCKET, CLOUDFORMATION_STACK
from muster.unknown import UNKNOWN
from tests.policies.views.parallelclusters import OBJECT, STACK, a_stack, a_template, the_resource
from tests.policies.views.registrations import registered, seen

URL = "https://templates.s3.us-west-2.amazonaws.com/a/b.yaml"


@pytest.mark.parametrize("url", [URL, "https://s3.us-west-2.amazonaws.com/templates/a/b.yaml"])
def test_a_template_in_a_bucket_of_the_program(url: str) -> None:
    """By its address, in either form."""
    body = yaml.safe_dump(a_template({}))
    put = registered(OBJECT, "template", bucket="templates", key="a/b.yaml", content=body)
    fleet = seen(registered(CLOUDFORMATION_STACK, "pcluster", templateUrl=url), put)
    assert [each.ref for each in fleet.of(ParallelCluster)] == [STACK]


@pytest.mark.parametrize(
    "content",
    [
        {"content": json.dumps(a_template({}))},
        {"contentBase64": b64encode(json.dumps(a_template({})).encode()).decode()},
        {"source": {"text": json.dumps(a_template({}))}},
    ],
    ids=["text", "base64", "asset"],
)
def test_a_template_in_a_preview(content: dict[str, Any]) -> None:
    """The address is made of the object, whose content is known."""
    put = registered(OBJECT, "template", bucket=UNKNOWN, key="b.yaml", **content)
    needs = {"templateUrl": [Ref(OBJECT, "template"), Ref(BUCKET, "templates")]}
    stack = registered(CLOUDFORMATION_STACK, "pcluster", templateUrl=UNKNOWN, needs=needs)
    assert len(seen(stack, put).of(ParallelCluster)) == 1


@pytest.mark.parametrize(
    "inputs",
    [
        {"templateUrl": URL},
        {"templateUrl": "https://us-west-2-aws-parallelcluster.s3.us-west-2.amazonaws.com/x/cluster.yaml"},
        {"templateBody": "Resources: {Topic: {Type: 'AWS::SNS::Topic'}}"},
        {"templateBody": "no template"},
        {},
    ],
)
def test_stacks_of_others(inputs: dict[str, Any]) -> None:
    """A template of others is none of ours, nor is what CloudFormation itself will refuse."""
    assert seen(registered(CLOUDFORMATION_STACK, "theirs", **inputs)).objects == ()


def a_template_of(configuration: Any) -> Registration:
    return a_stack(a_template(configuration))


FILE = registered(OBJECT, "template", bucket="templates", key="a/b.yaml", source={"path": "b.yaml"})
TRANSFORM = {"Fn::Transform": {"Name": "AWS::Include"}}
QUEUES = {"Scheduling": {"SlurmQueues": {"Fn::ImportValue": "queues"}}}


@pytest.mark.parametrize(
    ("stack", "missing", "fault", "clusters"),
    [
        # What may make a cluster is not kept quiet: a template not yet known, or in a file that nobody reads.
        (registered(CLOUDFORMATION_STACK, "pcluster", templateBody=UNKNOWN), True, False, 0),
        (registered(CLOUDFORMATION_STACK, "pcluster", templateUrl=UNKNOWN), True, False, 0),
        (registered(CLOUDFORMATION_STACK, "pcluster", templateUrl=URL), True, False, 0),
        # What CloudFormation refuses, or AWS's provider, which takes keys and values.
        (a_stack("Type: [Custom::PclusterCluster"), False, True, 0),
        (a_template_of("Image: {Os: rhel9}"), False, True, 1),
        # The cluster is there, and what is in it only CloudFormation knows.
        (a_template_of(TRANSFORM), True, False, 1),
        (a_template_of(QUEUES), True, False, 1),
    ],
)
def test_what_cannot_be_read(stack: Registration, missing: bool, fault: bool, clusters: int) -> None:
    """Nothing is made up."""
    fleet = seen(stack, FILE)
    (found,) = fleet.of(ClosedTemplate)
    assert found.ref == Ref(TEMPLATE, "pcluster")
    assert (bool(found.missing), bool(found.fault), len(fleet.of(ParallelCluster))) == (missing, fault, clusters)


def test_a_template_that_is_too_long() -> None:
    """What is sent along has 51,200 bytes at most; the cluster is read all the same."""
    fits, long = (a_template({"Tags": [{"Key": "x" * size, "Value": "y"}]}) for size in (50_000, 51_000))
    assert seen(a_stack(fits)).of(ClosedTemplate) == ()
    fleet = seen(a_stack(long))
    assert [bool(each.fault) for each in fleet.of(ClosedTemplate)] == [True]
    assert len(fleet.of(ParallelCluster)) == 1


def test_a_resource_by_its_name() -> None:
    """Alone of its name in the program."""
    assert the_resource({}).ref == Ref(COMPUTE_RESOURCE, "workers")
