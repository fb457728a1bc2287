"""What the program registers of a HyperPod cluster is what AWS takes, and what the definition says."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from hypothesis import given, settings

from muster.blueprint.cluster import Blueprint
from muster.blueprint.hyperpod.create_cluster import definition_with_placeholders
from muster.fleet.resources.ref import HYPERPOD
from muster.infra.hyperpod.lifecycle import contents
from muster.offline.plan import existing_clusters
from muster.offline.recording import Recording, record
from tests.aws_schemas import api_faults, cloudformation_faults, properties
from tests.strategies import Described
from tests.strategies.hyperpod import legal_hyperpod

OBJECT = "aws:s3/bucketObjectv2:BucketObjectv2"
NAME = re.compile(r"\$\{(\w+)\}")
"""What a printed request leaves open."""

slowly = settings(max_examples=12)


def recorded(blueprint: Blueprint, *, preview: bool = False) -> Recording:
    """What the program registers of it."""
    from muster.deploy import deploy

    return record(
        lambda: deploy(blueprint),
        stack=blueprint.stack,
        region=blueprint.region,
        preview=preview,
        existing_clusters=existing_clusters(blueprint),
    )


def registered(recording: Recording) -> dict[str, Any]:
    """The one HyperPod cluster of it, in AWS's own words."""
    (cluster,) = [each for each in recording.registrations if each.type == HYPERPOD]
    return properties(cluster.inputs)


def assert_printed(blueprint: Blueprint, cluster: Any) -> None:
    """Holds what is printed of a cluster to what is registered of it: all is the same but for names, each of which
    stands for one thing."""
    printed, sources = definition_with_placeholders(blueprint)
    pairs = set(names_in(printed, cluster))
    values = dict(pairs)
    assert len(values) == len(set(values.values())) == len(pairs)
    assert filled_by(printed, values) == cluster
    assert set(values) == set(sources)


@slowly
@given(legal_hyperpod())
def test_aws_takes_what_is_registered(described: Described) -> None:
    """Whatever is legal here is legal there: CloudFormation's schema, by which the native provider goes, and the API's
    model, which is stricter about most texts."""
    blueprint = described.blueprint()
    cluster = registered(recorded(blueprint))
    assert cloudformation_faults(cluster) == []
    assert api_faults(cluster) == []
    tags = {each["Key"]: each["Value"] for each in cluster["Tags"]}
    assert tags.items() >= {"Name": f"{blueprint.cluster_name}-hyperpod", "muster:stack": "random"}.items()
    groups = [each["InstanceGroupName"] for each in cluster["InstanceGroups"]]
    assert groups == sorted(groups), "written in another order, `plan` shows what `up` registers"
    assert_printed(blueprint, cluster)


def names_in(printed: Any, made: Any) -> Iterator[tuple[str, str]]:
    """What has to stand for each name of a printed request to make it the other, as far as their forms agree."""
    if isinstance(printed, dict) and isinstance(made, dict):
        for key in printed.keys() & made.keys():
            yield from names_in(printed[key], made[key])
    elif isinstance(printed, list) and isinstance(made, list):
        for each, other in zip(printed, made, strict=False):
            yield from names_in(each, other)
    elif isinstance(printed, str) and isinstance(made, str):
        form = re.escape(printed).replace(r"\$\{", "${").replace(r"\}", "}")
        found = re.fullmatch(NAME.sub(r"(?P<\1>.+)", form), made)
        yield from found.groupdict().items() if found else ()


def filled_by(printed: Any, values: Mapping[str, str]) -> Any:
    """A printed request as `envsubst` fills it in."""
    return json.loads(NAME.sub(lambda name: values.get(name[1], ""), json.dumps(printed)))


@settings(max_examples=8)
@given(legal_hyperpod())
def test_the_scripts_that_groups_run_are_uploaded_before(described: Described) -> None:
    """The objects of the bucket are the bundle's files; each group that runs Muster's scripts has all of them in the
    folder that its lifecycle names, and the cluster waits for them."""
    blueprint = described.blueprint()
    recording = recorded(blueprint)
    objects = {each.inputs["key"]: each for each in recording.registrations if each.type == OBJECT}
    assert blueprint.hyperpod is not None
    bundle = blueprint.hyperpod.bundle
    assert set(objects) == (bundle.files if bundle else set())
    assert {key: each.inputs["content"] for key, each in objects.items()} == contents(blueprint)
    (cluster,) = [each for each in recording.registrations if each.type == HYPERPOD]
    assert {each.urn for each in objects.values()} <= set(cluster.dependencies)
    buckets = {each.inputs["bucket"] for each in objects.values()}
    run = {
        group["LifeCycleConfig"]["SourceS3Uri"] + "/" + group["LifeCycleConfig"]["OnCreate"]
        for group in registered(recording)["InstanceGroups"]
        if group.get("LifeCycleConfig", {})
        .get("SourceS3Uri", "")
        .startswith(tuple(f"s3://{each}/" for each in buckets))
    }
    assert run == {f"s3://{bucket}/{key}" for bucket in buckets for key in objects if key.endswith("/on_create.sh")}
