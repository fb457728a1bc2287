"""Helm releases and Kubernetes objects in plans."""

from typing import Any

import pytest
import yaml

from muster.sources.terraform.kubernetes import object_of
from muster.unknown import UNKNOWN
from tests.sources.terraform.plans import Resource, plan, source


@pytest.mark.parametrize(
    ("values", "merged"),
    [
        ({"values": ["a: 1\nb: {c: 2}", "b: {d: 3}"]}, {"a": 1, "b": {"c": 2, "d": 3}}),
        ({"set": [{"name": "a.b", "value": "true"}]}, {"a": {"b": True}}),
        ({"set": [{"name": "a.b", "value": "true", "type": "string"}]}, {"a": {"b": "true"}}),
        ({"set": [{"name": r"a\.b/c", "value": "1"}]}, {"a.b/c": 1}),
        (
            {"set": [{"name": "a[0].b", "value": "x"}, {"name": "a[1].b", "value": "{y,z}"}]},
            {"a": [{"b": "x"}, {"b": ["y", "z"]}]},
        ),
        ({"values": ["a: 1"], "set": [{"name": "a", "value": "2"}]}, {"a": 2}),
        ({"values": ["a: 1"], "set": [{"name": "a", "value": UNKNOWN}]}, {"a": UNKNOWN}),
        ({"values": [UNKNOWN]}, UNKNOWN),
        ({"values": ["a: ["]}, UNKNOWN),
        ({"set": [{"name": "[0]", "value": "2"}]}, UNKNOWN),
        ({"set": UNKNOWN}, UNKNOWN),
        ({}, {}),
    ],
)
def test_values_are_merged_as_helm_does(values: dict[str, Any], merged: Any) -> None:
    read = object_of("helm_release", {"chart": "kueue", "version": "0.1.0", **values})
    assert read is not None
    assert read[1]["values"] == merged


JOB = {
    "apiVersion": "batch/v1",
    "kind": "Job",
    "metadata": {"name": "train"},
    "spec": {"template": {"spec": {"containers": [{"name": "a", "resources": {"limits": {"nvidia.com/gpu": 8}}}]}}},
}


def test_objects_are_the_same_in_every_provider() -> None:
    expected = ("kubernetes:batch/v1:Job", JOB)
    assert object_of("kubernetes_manifest", {"manifest": JOB}) == expected
    assert object_of("kubectl_manifest", {"yaml_body": yaml.safe_dump(JOB)}) == expected


@pytest.mark.parametrize("body", [UNKNOWN, "a: [", "- a", "a: 1\n---\nb: 1", 3, None])
def test_an_object_of_no_known_kind_is_left_out(body: Any) -> None:
    assert object_of("kubectl_manifest", {"yaml_body": body}) is None


def test_a_plan_does_not_say_what_is_before_a_hyperpod_cluster() -> None:
    made = source(plan(Resource("awscc_sagemaker_cluster.h", {"cluster_name": "h", "instance_groups": []})))
    assert "awscc_sagemaker_cluster.h" in {each.where for each in made.gaps}
