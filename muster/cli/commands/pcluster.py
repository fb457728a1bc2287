"""`muster pcluster`: a Slurm cluster in the words of AWS's own CLI, `pcluster`."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import typer

from muster.cli.exits import Exit, WrongInput
from muster.cli.options import AsOf, Json, Stack, day

if TYPE_CHECKING:
    from muster.authority.validation import Message, PackageResult
    from muster.cli.terminal import Style
    from muster.config.stack_file import StackFile


def validate(stack: Stack, *, as_json: Json = False) -> None:
    """Print what AWS's own package says of a stack's cluster: its schema, and its validators where that takes it.

    Every message is here, what it only remarks (INFO) included, and what `muster check` leaves out because a rule of
    Muster's answers it. Validators ask a stand-in of the account, filled from the description and the facts; stderr
    names those that are not run, and why. Exits 1 where `pcluster create-cluster` would stop. Needs no AWS account.
    """
    import sys

    from muster.authority.installation import NotInstalled
    from muster.authority.skipped_validators import SUPPRESSED
    from muster.authority.validation import Level, validate_cluster
    from muster.blueprint.slurm import SlurmBlueprint
    from muster.cli import terminal

    opened = _opened(stack)
    blueprint = opened.derive()
    assert isinstance(blueprint, SlurmBlueprint), "its description is a SlurmCluster"
    try:
        judgement = validate_cluster(blueprint)
    except NotInstalled as cause:
        raise WrongInput(str(cause)) from None
    if as_json:
        from muster.cli.writers.json import dump

        terminal.write(dump(_json(opened, judgement)))
    else:
        terminal.write_lines(_lines(opened, judgement, terminal.style_of(sys.stdout)))
    terminal.complain(*(f"not run: {each}: it {SUPPRESSED[each]}" for each in judgement.suppressed))
    stops = any(each.level is Level.ERROR and not each.crashed for each in judgement.messages)
    raise typer.Exit(Exit.FINDINGS if stops else Exit.CLEAN)


def _opened(stack: str) -> "StackFile":
    """A stack on ParallelCluster.

    Raises:
        typer.Exit: its form is wrong.
        WrongInput: it is on another backend.
    """
    from muster.cli.stacks import open_stacks, require_backend, require_description

    opened = open_stacks([stack])[0]
    require_description(opened)
    require_backend(opened, "parallelcluster")
    return opened


def _lines(opened: "StackFile", judgement: "PackageResult", style: "Style") -> list[str]:
    from muster.authority.validation import Level
    from muster.cli.stacks import place_in_file
    from muster.cli.terminal import one_line

    paints = {Level.ERROR: style.bad, Level.WARNING: style.warn, Level.INFO: style.dim}
    lines = []
    for each in judgement.messages:
        where = place_in_file(opened, _field(opened, judgement, each))
        said = f"{each.validator} could not judge" if each.crashed else each.validator
        lines.append(f"{where.file}:{where.line}:{where.column}: {paints[each.level](f'{each.level} {said}')}")
        lines.append(f"    {one_line(each.text)}")
        if each.path:
            lines.append(style.dim(f"    at {each.place} of the configuration"))
    return [*lines, _summary(opened, judgement)]


def _field(opened: "StackFile", judgement: "PackageResult", message: "Message") -> str:
    from muster.blueprint.parallelcluster.description_fields import field_of
    from muster.config.description.slurm_cluster import SlurmCluster

    assert isinstance(opened.described, SlurmCluster), "another was refused"
    return field_of(message.path, judgement.configuration, opened.described)


def _summary(opened: "StackFile", judgement: "PackageResult") -> str:
    from muster.authority.validation import Level
    from muster.versions import PARALLELCLUSTER

    counts = {level: sum(each.level is level for each in judgement.messages) for level in Level}
    said = ", ".join(f"{count} {level}" for level, count in counts.items())
    ran = f"{len(judgement.ran)} kinds of validators" if judgement.ran else "the schema alone"
    return f"{opened.stack}: {said}; ParallelCluster {PARALLELCLUSTER}, {ran}, {len(judgement.suppressed)} not run"


def _json(opened: "StackFile", judgement: "PackageResult") -> dict[str, Any]:
    from muster.authority.skipped_validators import SUPPRESSED
    from muster.authority.validation import is_reported
    from muster.cli.findings import CONTRACT
    from muster.cli.stacks import place_in_file
    from muster.versions import PARALLELCLUSTER

    def where(field: str) -> dict[str, Any]:
        place = place_in_file(opened, field)
        return {"file": place.file, "line": place.line, "column": place.column, "path": place.path}

    return {
        "contract": CONTRACT,
        "stack": opened.stack,
        "parallelcluster": PARALLELCLUSTER,
        "messages": [
            {
                "level": each.level.value,
                "by": each.validator,
                "text": each.text,
                "key": each.place,
                "where": where(_field(opened, judgement, each)),
                "judged": not each.crashed,
                "inCheck": is_reported(each),
            }
            for each in judgement.messages
        ],
        "ran": dict(sorted(judgement.ran.items())),
        "notRun": {each: SUPPRESSED[each] for each in judgement.suppressed},
    }


if TYPE_CHECKING:
    from datetime import date

    from muster.blueprint.slurm import SlurmBlueprint
    from muster.config.stack_file import StackFile

app = typer.Typer(name="pcluster", no_args_is_help=True, add_completion=False, rich_markup_mode=None)
app.command("validate")(validate)


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
    from muster.blueprint.parallelcluster.configuration import configuration_with_placeholders
    from muster.cli import terminal

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
    """Print what `pcluster build-image` takes to build an image for a stack's nodes, head node included.

    The image is good for the ParallelCluster version that builds it and for no other. In it is what every node of the
    stack would else install when it starts; stderr says what stays for the start and why, where the parent image's id
    comes from, and how to go on. Needs no AWS account.
    """
    from muster.blueprint.parallelcluster.build_image import PARENT_IMAGE, build_image
    from muster.cli import terminal

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
    from muster.blueprint.slurm import SlurmBlueprint
    from muster.cli.stacks import open_stacks, require_backend, require_passing

    opened = open_stacks([stack])[0]
    require_backend(opened, "parallelcluster")
    blueprint = require_passing(opened, as_of)
    assert isinstance(blueprint, SlurmBlueprint), "its description is a SlurmCluster"
    return blueprint


def _text(made: Mapping[str, Any], header: tuple[str, ...], *, as_json: bool) -> str:
    if as_json:
        from muster.cli.writers.json import dump

        return dump(made)
    from muster.jobs.manifest_yaml import to_yaml

    return to_yaml(dict(made), header)


def _blanks(blueprint: "SlurmBlueprint", text: str) -> Iterator[str]:
    """The placeholders of the stack file that are in the output."""
    from muster.config.account_references import placeholder_values

    return (
        f"{value}: a placeholder; fill in {path}"
        for path, value in placeholder_values(blueprint.described)
        if value in text
    )


def _create(blueprint: "SlurmBlueprint") -> Iterator[str]:
    from muster.config.description.slurm_cluster import OnFailure

    keep = " --rollback-on-failure false" if blueprint.described.on_failure is OnFailure.KEEP else ""
    yield f"then: muster pcluster config {blueprint.stack} | envsubst > cluster.yaml"
    yield f"      {_installed(blueprint)}"
    yield (
        f"      pcluster create-cluster --region {blueprint.region} --cluster-name {blueprint.cluster_name} "
        f"--cluster-configuration cluster.yaml{keep}"
    )


def _build(blueprint: "SlurmBlueprint", *, baked: bool) -> Iterator[str]:
    from muster.blueprint.parallelcluster.build_image import image_id

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
