"""`muster pcluster`: a Slurm cluster in the words of AWS's own CLI, `pcluster`."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import typer

from muster.cli import pcluster_validate
from muster.cli.exits import WrongInput
from muster.cli.options import AsOf, Json, Stack, day

if TYPE_CHECKING:
    from datetime import date

    from muster.fleet.slurm_blueprint import SlurmBlueprint
    from muster.fleet.stack_file import StackFile

_BACKEND = "parallelcluster"

app = typer.Typer(name="pcluster", no_args_is_help=True)
app.command("validate")(pcluster_validate.validate)


@app.callback()
def _pcluster() -> None:
    """Show a Slurm cluster on AWS ParallelCluster in the words of AWS's own CLI, `pcluster`."""


@app.command("config")
def config(stack: Stack, *, as_json: Json = False, as_of: AsOf = None) -> None:
    """Print a stack's cluster as `pcluster create-cluster` takes it, once `envsubst` has filled it in.

    It is the configuration that `pulumi up` hands to AWS's custom resource. What only AWS knows is a name in it,
    ${FILE_SYSTEM_FSX}; stderr says of each where it comes from, and how to go on. `pcluster` reads JSON as well. Of a
    stack that `muster check` refuses only the findings are printed, on stderr. Needs no AWS account.
    """
    from muster.cli import terminal
    from muster.fleet.parallelcluster.left_open import left_open

    blueprint = _passed(stack, day(as_of))
    made, sources = left_open(blueprint)
    text = _text(made, (f"ParallelCluster {blueprint.described.version}; stack {blueprint.stack}",), as_json=as_json)
    terminal.write(text)
    terminal.complain(
        *(f"${{{name}}}: {source}" for name, source in sources.items()),
        *_blanks(blueprint, text),
        *_create(blueprint),
    )


@app.command("image")
def image(stack: Stack, *, as_json: Json = False, as_of: AsOf = None) -> None:
    """Print what `pcluster build-image` takes to build an image for a stack's nodes, head node included.

    The image is good for the ParallelCluster version that builds it and for no other. In it is what every node of the
    stack would else install when it starts; stderr says what stays for the start and why, where the parent image's id
    comes from, and how to go on. Needs no AWS account.
    """
    from muster.cli import terminal
    from muster.fleet.parallelcluster.build_image import PARENT_IMAGE, build_image

    blueprint = _passed(stack, day(as_of))
    built = build_image(blueprint)
    described = blueprint.described
    header = (f"An image for ParallelCluster {described.version}, {described.os}; stack {blueprint.stack}",)
    terminal.write(_text(built.configuration, header, as_json=as_json))
    terminal.complain(
        f"${{{PARENT_IMAGE}}}: {built.parent}",
        *(f"{script}: stays for the start of a node: {why}" for script, why in built.at_start.items()),
        *_build(blueprint, baked="Components" in built.configuration["Build"]),
    )


def _passed(stack: str, as_of: "date") -> "SlurmBlueprint":
    """The blueprint of a stack on ParallelCluster that no mandatory rule refuses.

    Raises:
        typer.Exit: its form is wrong, or such a rule refuses it.
        WrongInput: it is on another backend.
    """
    from muster.cli.judging import passed
    from muster.cli.opening import open_stacks
    from muster.fleet.description import SlurmCluster
    from muster.fleet.slurm_blueprint import SlurmBlueprint

    opened = open_stacks([stack])[0]
    if opened.described is not None and not isinstance(opened.described, SlurmCluster):
        raise WrongInput(not_on_parallelcluster(opened))
    blueprint = passed(opened, as_of)
    assert isinstance(blueprint, SlurmBlueprint), "its description is a SlurmCluster"
    return blueprint


def _text(made: Mapping[str, Any], header: tuple[str, ...], *, as_json: bool) -> str:
    if as_json:
        from muster.cli.writers.json import dump

        return dump(made)
    from muster.jobs.manifest import to_yaml

    return to_yaml(dict(made), header)


def _blanks(blueprint: "SlurmBlueprint", text: str) -> Iterator[str]:
    """What the file itself has not filled in, as far as it is printed."""
    from muster.fleet.placeholders import blanks

    return (f"{value}: a placeholder; fill in {path}" for path, value in blanks(blueprint.described) if value in text)


def _create(blueprint: "SlurmBlueprint") -> Iterator[str]:
    from muster.fleet.description.slurm_cluster import OnFailure

    keep = " --rollback-on-failure false" if blueprint.described.on_failure is OnFailure.KEEP else ""
    yield f"then: muster pcluster config {blueprint.stack} | envsubst > cluster.yaml"
    yield f"      {_installed(blueprint)}"
    yield (
        f"      pcluster create-cluster --region {blueprint.region} --cluster-name {blueprint.cluster_name} "
        f"--cluster-configuration cluster.yaml{keep}"
    )


def _build(blueprint: "SlurmBlueprint", *, baked: bool) -> Iterator[str]:
    from muster.fleet.parallelcluster.build_image import image_id

    region, name = blueprint.region, image_id(blueprint)
    yield f"then: muster pcluster image {blueprint.stack} | envsubst > image.yaml"
    yield f"      {_installed(blueprint)}"
    yield f"      pcluster build-image --region {region} --image-id {name} --image-configuration image.yaml"
    yield f"      pcluster describe-image --region {region} --image-id {name} --query ec2AmiInfo.amiId"
    yield "it is built in the account's default VPC; elsewhere with SubnetId and SecurityGroupIds below Build"
    taken_out = ", and take what is in the image now out of post-install: Docker's script fails a second time on Ubuntu"
    yield f"once it is built: write image: ami-... in the stack{taken_out if baked else ''}"


def _installed(blueprint: "SlurmBlueprint") -> str:
    return f"pip install 'aws-parallelcluster=={blueprint.described.version}' 'setuptools<81'"


def not_on_parallelcluster(opened: "StackFile") -> str:
    """The words for a stack on another backend."""
    from muster.cli.opening import open_all

    backend = getattr(opened.described, "backend", None)
    if backend == "hyperpod":
        return f"{opened.stack} has backend: {backend}; `muster hyperpod config {opened.stack}` is for it"
    is_ = f"has backend: {backend}" if backend else "has add-ons only"
    others = [
        each.stack for each in open_all() if each.described and getattr(each.described, "backend", "") == _BACKEND
    ]
    give = f"give one that has, as {', '.join(others)}" if others else "no stack here has"
    return f"{opened.stack} {is_}, and this is about backend: {_BACKEND}; {give}"
