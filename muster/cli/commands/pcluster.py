"""`muster pcluster`: a Slurm cluster as input of AWS's CLI `pcluster`."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import typer

from muster.cli.options import AsOf, Json, Stack, day

if TYPE_CHECKING:
    from datetime import date

    from muster.blueprint.parallelcluster.cluster import ParallelClusterBlueprint

app = typer.Typer(name="pcluster", no_args_is_help=True, add_completion=False, rich_markup_mode=None)


@app.callback()
def _pcluster() -> None:
    """Print the input of AWS's `pcluster` CLI for a Slurm cluster."""


@app.command("config")
def config(stack: Stack, *, as_json: Json = False, as_of: AsOf = None) -> None:
    """Print the configuration for `pcluster create-cluster` of a stack's cluster.

    It is the same configuration that `pulumi up` passes to AWS's custom resource. Values that only AWS has are
    variables, such as ${FILE_SYSTEM_FSX}: replace them with `envsubst`. Stderr explains where each value comes from,
    and lists the next commands. `pcluster` also reads JSON. If a stack has mandatory findings, the command prints only
    the findings, on stderr. Needs no AWS account.
    """
    from muster import terminal
    from muster.blueprint.parallelcluster.configuration import configuration_with_placeholders

    blueprint = _passed(stack, day(as_of))
    made, sources = configuration_with_placeholders(blueprint)
    text = _text(made, (f"ParallelCluster {blueprint.described.version}; stack {blueprint.stack}",), as_json=as_json)
    terminal.write(text)
    terminal.complain(
        *(f"${{{name}}}: {source}" for name, source in sources.items()),
        *_blanks(blueprint, text),
        *_create(blueprint),
    )


@app.command("image")
def image(stack: Stack, *, as_json: Json = False, as_of: AsOf = None) -> None:
    """Print the configuration for `pcluster build-image` of an image for a stack's nodes, including the head node.

    The image works only with the ParallelCluster version that builds it. It contains the software that every node of
    the stack would otherwise install when it starts. Stderr lists the scripts that still run at the start and why,
    where the id of the parent image comes from, and the next commands. Needs no AWS account.
    """
    from muster import terminal
    from muster.blueprint.parallelcluster.build_image import PARENT_IMAGE, build_image

    blueprint = _passed(stack, day(as_of))
    built = build_image(blueprint)
    described = blueprint.described
    header = (f"An image for ParallelCluster {described.version}, {described.os}; stack {blueprint.stack}",)
    terminal.write(_text(built.configuration, header, as_json=as_json))
    terminal.complain(
        f"${{{PARENT_IMAGE}}}: {built.parent}",
        *(f"{script} still runs when a node starts: {why}" for script, why in built.at_start.items()),
        *_build(blueprint, baked="Components" in built.configuration["Build"]),
    )


def _passed(stack: str, as_of: "date") -> "ParallelClusterBlueprint":
    """The blueprint of a stack on ParallelCluster that has no mandatory findings.

    Raises:
        typer.Exit: it has schema errors, or mandatory findings.
        WrongInput: it is on another backend.
    """
    from muster.blueprint.parallelcluster.cluster import ParallelClusterBlueprint
    from muster.cli.stacks import open_stacks, require_backend, require_passing

    opened = open_stacks([stack])[0]
    require_backend(opened, "parallelcluster")
    blueprint = require_passing(opened, as_of)
    assert isinstance(blueprint, ParallelClusterBlueprint), "its description is a SlurmCluster"
    return blueprint


def _text(made: Mapping[str, Any], header: tuple[str, ...], *, as_json: bool) -> str:
    if as_json:
        from muster.cli.writers.json import dump

        return dump(made)
    from muster.jobs.manifest_yaml import to_yaml

    return to_yaml(dict(made), header)


def _blanks(blueprint: "ParallelClusterBlueprint", text: str) -> Iterator[str]:
    """The placeholders of the stack file that are in the output."""
    from muster.config.account_references import placeholder_values

    return (
        f"{value} is a placeholder; set {path}"
        for path, value in placeholder_values(blueprint.described)
        if value in text
    )


def _create(blueprint: "ParallelClusterBlueprint") -> Iterator[str]:
    from muster.config.description.slurm_cluster import OnFailure

    keep = " --rollback-on-failure false" if blueprint.described.on_failure is OnFailure.KEEP else ""
    yield f"then: muster pcluster config {blueprint.stack} | envsubst > cluster.yaml"
    yield f"      {_installed(blueprint)}"
    yield (
        f"      pcluster create-cluster --region {blueprint.region} --cluster-name {blueprint.cluster_name} "
        f"--cluster-configuration cluster.yaml{keep}"
    )


def _build(blueprint: "ParallelClusterBlueprint", *, baked: bool) -> Iterator[str]:
    from muster.blueprint.parallelcluster.build_image import image_id

    region, name = blueprint.region, image_id(blueprint)
    yield f"then: muster pcluster image {blueprint.stack} | envsubst > image.yaml"
    yield f"      {_installed(blueprint)}"
    yield f"      pcluster build-image --region {region} --image-id {name} --image-configuration image.yaml"
    yield f"      pcluster describe-image --region {region} --image-id {name} --query ec2AmiInfo.amiId"
    yield "the build uses the account's default VPC; to use another, set SubnetId and SecurityGroupIds below Build"
    taken_out = (
        ", and remove the scripts that are now in the image from post-install: on Ubuntu, Docker's script fails if it "
        "runs twice"
    )
    yield f"after the build: set image: ami-... in the stack{taken_out if baked else ''}"


def _installed(blueprint: "ParallelClusterBlueprint") -> str:
    return f"pip install 'aws-parallelcluster=={blueprint.described.version}' 'setuptools<81'"
