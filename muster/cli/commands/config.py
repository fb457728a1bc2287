"""`muster config`: a cluster as input of AWS's own command line, for `pcluster` and for `aws sagemaker`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from muster import terminal
from muster.cli.options import AsOf, Json, Stack, day
from muster.cli.writers.json import dump
from muster.finding import WrongInput

if TYPE_CHECKING:
    from muster.blueprint.cluster import Blueprint, ClusterBlueprint, ParallelClusterBlueprint

Image = Annotated[bool, typer.Option("--image", help="Print instead the input of `pcluster build-image`.")]
ClusterPolicy = Annotated[
    bool,
    typer.Option("--cluster-policy", help="Print instead the input of `create-cluster-scheduler-config`."),
]


@dataclass(frozen=True, slots=True)
class Input:
    """The input of a command of AWS, with what a user must know about it."""

    request: Mapping[str, Any]
    variables: Mapping[str, str]
    """Each variable of the request, and where its value comes from."""
    notes: tuple[str, ...] = ()
    header: str = ""
    """The comment above the YAML; empty for a command that reads only JSON."""


def config(
    stack: Stack,
    *,
    image: Image = False,
    cluster_policy: ClusterPolicy = False,
    as_json: Json = False,
    as_of: AsOf = None,
) -> None:
    """Print the cluster of a stack on ParallelCluster or HyperPod as input of AWS's CLI.

    It is the cluster that `pulumi up` creates: YAML for `pcluster create-cluster`, or JSON for
    `aws sagemaker create-cluster --cli-input-json`. Values that only AWS has are variables, such as
    ${FILE_SYSTEM_FSX}: replace them with `envsubst`. Stderr explains where each value comes from. If a stack has
    mandatory findings, the command prints only the findings, on stderr. Needs no AWS account.

    `--image` is for ParallelCluster: an image with the software that every node would otherwise install when it
    starts. It works only with the ParallelCluster version that builds it.

    `--cluster-policy` is for task governance of HyperPod: priority classes, fair share, and the sharing of unallocated
    compute. No Pulumi provider has it: send it after `pulumi up`.
    """
    from muster.blueprint.account_references import placeholder_values
    from muster.cli.stacks import open_stacks, require_backend, require_passing

    if image and cluster_policy:
        raise WrongInput("give --image or --cluster-policy, not both")
    opened = open_stacks([stack])[0]
    if image:
        require_backend(opened, "parallelcluster")
    elif cluster_policy:
        require_backend(opened, "hyperpod")
    else:
        require_backend(opened, "parallelcluster", "hyperpod", "hyperpod-slurm")
    blueprint = require_passing(opened, day(as_of))
    made = _input(blueprint, image=image, cluster_policy=cluster_policy)
    text = dump(made.request) if as_json or not made.header else _yaml(made)
    placeholders = placeholder_values(blueprint.described)
    terminal.write(text)
    terminal.complain(
        *(f"${{{name}}}: {source}" for name, source in made.variables.items()),
        *(f"{value} is a placeholder; set {path}" for path, value in placeholders if value in text),
        *made.notes,
    )


def _input(blueprint: "ClusterBlueprint", *, image: bool, cluster_policy: bool) -> Input:
    from muster.blueprint.hyperpod.create_cluster import definition_with_placeholders
    from muster.cli.stacks import require_kubernetes

    if blueprint.backend == "parallelcluster":
        return _image(blueprint) if image else _slurm(blueprint)
    if cluster_policy:
        return _cluster_policy(require_kubernetes(blueprint))
    return Input(*definition_with_placeholders(blueprint))


def _yaml(made: Input) -> str:
    from muster.jobs.manifest_yaml import to_yaml

    return to_yaml(dict(made.request), (made.header,))


def _slurm(blueprint: "ParallelClusterBlueprint") -> Input:
    from muster.blueprint.parallelcluster.configuration import configuration_with_placeholders
    from muster.config.description.slurm_settings import OnFailure

    request, variables = configuration_with_placeholders(blueprint)
    keep = " --rollback-on-failure false" if blueprint.described.on_failure is OnFailure.KEEP else ""
    create = (
        f"      pcluster create-cluster --region {blueprint.region} --cluster-name {blueprint.cluster_name} "
        f"--cluster-configuration FILE{keep}"
    )
    header = f"ParallelCluster {blueprint.described.version}; stack {blueprint.stack}"
    return Input(request, variables, (f"then: {_installed(blueprint)}", create), header)


def _image(blueprint: "ParallelClusterBlueprint") -> Input:
    from muster.blueprint.parallelcluster.build_image import PARENT_IMAGE, build_image

    built, described = build_image(blueprint), blueprint.described
    header = f"An image for ParallelCluster {described.version}, {described.os}; stack {blueprint.stack}"
    left = tuple(f"{script} still runs when a node starts: {why}" for script, why in built.at_start.items())
    build = _build(blueprint, baked="Components" in built.configuration["Build"])
    return Input(built.configuration, {PARENT_IMAGE: built.parent}, (*left, *build), header)


def _build(blueprint: "ParallelClusterBlueprint", *, baked: bool) -> Iterator[str]:
    from muster.blueprint.parallelcluster.build_image import image_id

    region, name = blueprint.region, image_id(blueprint)
    yield f"then: {_installed(blueprint)}"
    yield f"      pcluster build-image --region {region} --image-id {name} --image-configuration FILE"
    yield f"      pcluster describe-image --region {region} --image-id {name} --query ec2AmiInfo.amiId"
    yield "the build uses the account's default VPC; to use another, set SubnetId and SecurityGroupIds below Build"
    taken_out = (
        ", and remove the scripts that are now in the image from post-install: on Ubuntu, Docker's script fails if it "
        "runs twice"
    )
    yield f"after the build: set image: ami-... in the stack{taken_out if baked else ''}"


def _installed(blueprint: "ParallelClusterBlueprint") -> str:
    return f"pip install 'aws-parallelcluster=={blueprint.described.version}' 'setuptools<81'"


def _cluster_policy(blueprint: "Blueprint") -> Input:
    from muster.blueprint.hyperpod.task_governance import cluster_policy_request, governance_of

    described = governance_of(blueprint)
    if described is None:
        raise WrongInput(
            f"{blueprint.stack} has no cluster policy; add hyperpod.task-governance, as in {{priorities: {{training: "
            "70}}"
        )
    assert blueprint.hyperpod is not None, "only a cluster on HyperPod has a cluster policy"
    source = (
        f"the ARN of the HyperPod cluster: aws sagemaker describe-cluster --region {blueprint.region} "
        f"--cluster-name {blueprint.hyperpod.cluster.name} --query ClusterArn --output text; output hyperpod.arn"
    )
    variable = "HYPERPOD_CLUSTER_ARN"
    return Input(cluster_policy_request(described, blueprint, f"${{{variable}}}"), {variable: source})
