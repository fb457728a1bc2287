"""Plans: what their resources become, where unknown values come from, and what is found."""

import json
from dataclasses import replace
from typing import Any

import pytest

from muster.fleet.registration import Registration
from muster.sources.source import CannotBeRead, Source
from muster.unknown import UNKNOWN
from tests.sources.terraform.clusters import CALLS, GPU, GROUP, TEMPLATE, cluster
from tests.sources.terraform.plans import Call, Resource, found, judged, plan, source, state


def by_name(made: Source, address: str) -> Registration:
    """The registration of an address."""
    (one,) = [each for each in made.registrations if each.name == address]
    return one


def used(made: Source, address: str, name: str) -> set[str]:
    """The addresses that an input comes from."""
    return {each.rpartition("::")[2] for each in by_name(made, address).property_dependencies.get(name, ())}


def test_a_cluster_of_the_module_is_judged_whole() -> None:
    """Advice about pods' access to credentials and about zones; nothing about EFA, images or capacity."""
    assert found(source(plan(*cluster(), calls=CALLS))) == {
        ("imds-out-of-pods", TEMPLATE),
        ("control-plane-zones", "module.eks.aws_eks_cluster.this[0]"),
    }


def test_the_template_of_a_dynamic_block_is_the_only_one_of_its_module() -> None:
    made = source(plan(*cluster(), calls=CALLS))
    assert TEMPLATE in used(made, GROUP, "launchTemplate")
    assert ("instance-type-catalogued", GROUP) in found(
        source(plan(*cluster(instance_type="p5.480xlarge"), calls=CALLS))
    )


@pytest.mark.parametrize(
    ("name", "references", "pulumi"),
    [
        ("disk_size", ["var.use_custom_launch_template", "var.disk_size"], "diskSize"),
        ("version", ["var.ami_id", "local.version"], "version"),
        ("instance_types", ["local.instance_types"], "instanceTypes"),
    ],
)
def test_an_argument_that_is_null_is_computed_by_the_provider(name: str, references: list[str], pulumi: str) -> None:
    """A plan has these of `eks-managed-node-group` as unknown beside some templates, but nobody has set them: EKS would
    refuse them."""
    *others, group = cluster(image_id="ami-0123456789abcdef0")
    group = replace(group, values={**group.values, name: UNKNOWN}, refers={**group.refers, name: references})
    made = source(plan(*others, group, calls=CALLS))
    assert pulumi not in by_name(made, GROUP).inputs


def test_what_nobody_sets_is_not_set() -> None:
    """The provider computes `disk_size` and `update_config`: the plan has them as known after apply."""
    inputs = by_name(source(plan(*cluster(), calls=CALLS)), GROUP).inputs
    assert not {"diskSize", "updateConfig", "capacityType", "releaseVersion", "remoteAccess"} & inputs.keys()
    assert inputs["nodeRoleArn"] is UNKNOWN


def test_arguments_have_the_names_and_forms_of_pulumi() -> None:
    made = source(
        plan(
            Resource(
                "aws_autoscaling_group.a",
                {
                    "tag": [{"key": "a", "value": "b", "propagate_at_launch": True}],
                    "vpc_zone_identifier": ["subnet-1"],
                    "mixed_instances_policy": [
                        {"launch_template": [{"override": [{"instance_type": GPU}]}], "instances_distribution": []}
                    ],
                },
            ),
            Resource("aws_fsx_lustre_file_system.a", {"subnet_ids": ["subnet-1"], "storage_capacity": 1200}),
            Resource("awscc_sagemaker_cluster.a", {"vpc_config": {"subnets": ["subnet-1"]}, "capacity": None}),
        )
    )
    group = by_name(made, "aws_autoscaling_group.a").inputs
    assert group["tags"] == [{"key": "a", "value": "b", "propagateAtLaunch": True}]
    assert group["vpcZoneIdentifiers"] == ["subnet-1"]
    assert group["mixedInstancesPolicy"] == {"launchTemplate": {"overrides": [{"instanceType": GPU}]}}
    assert by_name(made, "aws_fsx_lustre_file_system.a").inputs["subnetIds"] == "subnet-1"
    assert by_name(made, "awscc_sagemaker_cluster.a").inputs["vpcConfig"] == {"subnets": ["subnet-1"]}


def _subnets(*keys: Any) -> list[Resource]:
    return [
        Resource(f"aws_subnet.a[{json.dumps(key)}]", {"availability_zone": f"us-west-2{'abc'[index]}"})
        for index, key in enumerate(keys)
    ]


def _group(*names: str, address: str = "aws_eks_node_group.g", for_each: tuple[str, ...] = ()) -> Resource:
    return Resource(address, {"cluster_name": "c", "subnet_ids": UNKNOWN}, {"subnet_ids": list(names)}, for_each)


@pytest.mark.parametrize(
    ("resources", "subnets"),
    [
        ([*_subnets(0, 1), _group("aws_subnet.a[0].id")], 1),
        ([*_subnets(0, 1), _group("aws_subnet.a[0].id", "aws_subnet.a[1].id")], 2),
        ([*_subnets(0), _group("aws_subnet.a")], 1),
        # `slice(aws_subnet.a[*].id, 0, 1)` has the same references as the whole list.
        ([*_subnets(0, 1), _group("aws_subnet.a")], None),
        ([*_subnets(0, 1), _group("aws_subnet.a", "count.index", address="aws_eks_node_group.g[1]")], 1),
        ([*_subnets("a", "b"), _group("aws_subnet.a", "each.key", address='aws_eks_node_group.g["b"]')], 1),
        ([*_subnets("a", "b"), _group("aws_subnet.a", "each.key", address='aws_eks_node_group.g["c"]')], None),
        (
            [
                *_subnets("a", "b"),
                _group("each.value.id", address='aws_eks_node_group.g["b"]', for_each=("aws_subnet.a",)),
            ],
            1,
        ),
        ([*_subnets(0), _group("data.aws_subnets.private.ids")], None),
        ([*_subnets(0, 1), _group("local.subnets")], None),
    ],
)
def test_how_many_subnets_an_unknown_list_has(resources: list[Resource], subnets: int | None) -> None:
    made = source(plan(*resources))
    value = by_name(made, resources[-1].address).inputs["subnetIds"]
    assert value is UNKNOWN if subnets is None else value == [UNKNOWN] * subnets
    if subnets:
        assert len(used(made, resources[-1].address, "subnetIds")) == subnets


def test_references_go_through_outputs_and_inputs_of_modules() -> None:
    resources = (
        Resource('module.net["a"].aws_subnet.this[0]', {"availability_zone": "us-west-2a"}),
        Resource('module.net["b"].aws_subnet.this[0]', {"availability_zone": "us-west-2b"}),
        Resource("module.ng.aws_eks_node_group.this", {"subnet_ids": UNKNOWN}, {"subnet_ids": ["var.subnet_ids"]}),
    )
    calls = (
        Call("net", outputs={"ids": ["aws_subnet.this"]}),
        Call("ng", inputs={"subnet_ids": ['module.net["b"].ids']}),
    )
    made = source(plan(*resources, calls=calls))
    assert used(made, resources[2].address, "subnetIds") == {resources[1].address}
    assert by_name(made, resources[2].address).inputs["subnetIds"] == [UNKNOWN]


def test_a_chain_of_a_thousand_modules_ends() -> None:
    calls = tuple(Call(f"m{n}", inputs={"x": [f"module.m{n + 1}.y"]}, outputs={"y": ["var.x"]}) for n in range(1000))
    resources = (Resource("aws_eks_node_group.g", {"subnet_ids": UNKNOWN}, {"subnet_ids": ["module.m0.y"]}),)
    assert by_name(source(plan(*resources, calls=calls)), "aws_eks_node_group.g").inputs["subnetIds"] is UNKNOWN


BUNDLE = (
    Resource("aws_s3_bucket.b", {"bucket": "sagemaker-bundle"}),
    Resource("aws_s3_object.a", {"bucket": "sagemaker-bundle", "key": "on_create_main.sh"}),
    Resource(
        "awscc_sagemaker_cluster.h",
        {
            "cluster_name": "h",
            "instance_groups": [
                {
                    "instance_group_name": "g",
                    "instance_type": f"ml.{GPU}",
                    "instance_count": 1,
                    "life_cycle_config": {"on_create": "on_create.sh", "source_s3_uri": "s3://sagemaker-bundle"},
                }
            ],
        },
    ),
)


@pytest.mark.parametrize("kind", ["null_resource", "terraform_data"])
def test_a_command_may_upload_the_script(kind: str) -> None:
    """Without a command the script is missing; beside one it is not known."""
    rule = "lifecycle-script-in-bundle"
    assert rule in {each.rule for each in judged(source(plan(*BUNDLE))).findings}
    beside = judged(source(plan(*BUNDLE, Resource(f"{kind}.n", {}))))
    assert rule not in {each.rule for each in beside.findings}
    assert rule in {each.rule for each in beside.not_evaluated}


def test_regions_come_from_the_providers() -> None:
    providers = {
        "aws": {"name": "aws", "expressions": {"region": {"references": ["var.region"]}}},
        "aws.east": {"name": "aws", "alias": "east", "expressions": {"region": {"constant_value": "us-east-1"}}},
    }
    made = source(
        plan(
            Resource("aws_subnet.a", {}),
            Resource("aws_subnet.b", {}),
            Resource("aws_subnet.c", {}, provider="aws.east"),
            Resource("aws_subnet.d", {"region": "eu-west-1"}),
            providers=providers,
            variables={"region": "us-east-2"},
        )
    )
    regions = [by_name(made, f"aws_subnet.{name}").inputs["region"] for name in "abcd"]
    assert (made.region, regions) == ("us-east-2", ["us-east-2", "us-east-2", "us-east-1", "eu-west-1"])


def test_in_a_state_a_zero_is_no_value_but_of_a_count() -> None:
    """An argument that nobody set is empty there, or 0."""
    scaling = {"min_size": 0, "max_size": 1, "desired_size": 0}
    template = Resource("aws_launch_template.t", {"image_id": "", "arn": "arn:aws:ec2:us-west-2:0:lt/1"})
    values = {"id": "c:g", "disk_size": 0, "scaling_config": [scaling]}
    made = source(state(template, Resource("aws_eks_node_group.g", values)))
    assert by_name(made, "aws_launch_template.t").inputs == {"region": "us-west-2"}
    group = by_name(made, "aws_eks_node_group.g")
    assert group.id == "c:g"
    assert group.inputs == {"scalingConfig": {"minSize": 0, "maxSize": 1, "desiredSize": 0}}


def test_findings_are_in_terraforms_words() -> None:
    made = source(plan(*cluster(), calls=CALLS))
    (finding,) = [each for each in judged(made).findings if each.rule == "imds-out-of-pods"]
    assert "metadata_options.http_put_response_hop_limit" in finding.remedy
    assert made.place(finding) is None, "the plan is one line"


def test_types_that_no_rule_reads_are_gaps() -> None:
    made = source(
        plan(*(Resource(f"aws_{name}.a", {}) for name in ("instance", "batch_job_queue", "route_table", "sqs_queue")))
    )
    assert [each.where for each in made.gaps if each.where != "resources"] == ["aws_batch_job_queue", "aws_instance"]


ONE = {"mode": "managed", "address": "a.b", "type": "a", "name": "b"}


@pytest.mark.parametrize(
    ("document", "named"),
    [
        ({"version": 4, "terraform_version": "1.9", "serial": 1, "lineage": "x", "resources": []}, "show -json"),
        ({"terraform_version": "1.9", "format_version": "1.0"}, "resources"),
        ({"format_version": "2.0", "values": {}}, "2.0"),
        ({"format_version": "1.0", "values": []}, "values"),
        ({"format_version": "1.0", "values": {"root_module": {"resources": [{"mode": "managed"}]}}}, "address"),
        ({"format_version": "1.0", "values": {"root_module": {"resources": [ONE, ONE]}}}, "a.b"),
    ],
)
def test_a_file_that_is_not_read_says_why(document: Any, named: str) -> None:
    with pytest.raises(CannotBeRead, match=named):
        source(document)


@pytest.mark.parametrize("flag", [{"errored": True}, {"complete": False}])
def test_a_plan_with_a_part_missing_is_not_evaluated_whole(flag: dict[str, bool]) -> None:
    assert [each.where for each in source(plan(Resource("aws_subnet.a", {}), **flag)).gaps] == ["plan"]
