"""`muster pcluster`: a Slurm cluster as input of AWS's CLI `pcluster`."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import typer

from muster.cli.exits import Exit, WrongInput
from muster.cli.options import AsOf, Json, Stack, day

if TYPE_CHECKING:
    from muster.authority.validation import Message, PackageResult
    from muster.config.stack_file import StackFile
    from muster.terminal import Style


def install() -> None:
    """Install AWS's own package, aws-parallelcluster, for `muster check` and `muster pcluster validate`.

    The command creates an environment in the cache folder, with pinned versions and hashes. In a checkout of Muster,
    `make setup` does the same.
    """
    from muster import terminal
    from muster.authority import installation

    try:
        with terminal.progress(f"installing {installation.PACKAGE}"):
            environment = installation.install()
    except installation.NotInstalled as cause:
        raise WrongInput(str(cause)) from None
    except OSError as fault:
        raise WrongInput(
            f"cannot write '{fault.filename}': {fault.strerror}; set XDG_CACHE_HOME to a folder you can write to"
        ) from None
    terminal.write_lines([f"installed in {environment}"])


def validate(stack: Stack, *, as_json: Json = False) -> None:
    """Validate a stack's cluster with AWS's own package aws-parallelcluster, and print all of its messages.

    The package checks its schema first, then runs its validators against a simulated account. The account's content
    comes from the description and the facts. The output includes INFO messages, and messages that `muster check` omits
    because one of Muster's rules covers them. Stderr lists the validators that do not run, with the reason. Exits with
    code 1 if `pcluster create-cluster` would fail. Needs no AWS account.
    """
    from muster import terminal
    from muster.authority.installation import NotInstalled
    from muster.authority.skipped_validators import SUPPRESSED
    from muster.authority.validation import Level, validate_cluster
    from muster.blueprint.parallelcluster.cluster import ParallelClusterBlueprint

    opened = _opened(stack)
    blueprint = opened.derive()
    assert isinstance(blueprint, ParallelClusterBlueprint), "its description is a SlurmCluster"
    try:
        judgement = validate_cluster(blueprint)
    except NotInstalled as cause:
        raise WrongInput(str(cause)) from None
    if as_json:
        from muster.cli.writers.json import dump

        terminal.write(dump(_json(opened, judgement)))
    else:
        terminal.write_lines(_lines(opened, judgement, terminal.style()))
    terminal.complain(*(f"not run: {each}: it {SUPPRESSED[each]}" for each in judgement.suppressed))
    stops = any(each.level is Level.ERROR and not each.crashed for each in judgement.messages)
    raise typer.Exit(Exit.FINDINGS if stops else Exit.CLEAN)


def _opened(stack: str) -> "StackFile":
    """A stack on ParallelCluster.

    Raises:
        typer.Exit: it has schema errors.
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

    paints = {Level.ERROR: style.bad, Level.WARNING: style.warn, Level.INFO: style.dim}
    lines = []
    for each in judgement.messages:
        where = place_in_file(opened, _field(opened, judgement, each))
        text = f"{each.validator} failed to run" if each.crashed else each.validator
        lines.append(f"{where.file}:{where.line}:{where.column}: {paints[each.level](f'{each.level} {text}')}")
        lines.append(f"    {each.text}")
        if each.path:
            lines.append(style.dim(f"    at {each.place} of the configuration"))
    return [*lines, _summary(opened, judgement)]


def _field(opened: "StackFile", judgement: "PackageResult", message: "Message") -> str:
    from muster.blueprint.parallelcluster.description_fields import field_of
    from muster.config.description.slurm_cluster import SlurmCluster

    assert isinstance(opened.described, SlurmCluster), "other descriptions were refused"
    return field_of(message.path, judgement.configuration, opened.described)


def _summary(opened: "StackFile", judgement: "PackageResult") -> str:
    from muster.authority.validation import Level
    from muster.versions import PARALLELCLUSTER

    counts = {level: sum(each.level is level for each in judgement.messages) for level in Level}
    counted = ", ".join(f"{count} {level}" for level, count in counts.items())
    ran = f"{len(judgement.ran)} kinds of validators" if judgement.ran else "the schema alone"
    return f"{opened.stack}: {counted}; ParallelCluster {PARALLELCLUSTER}, {ran}, {len(judgement.suppressed)} not run"


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

    from muster.blueprint.parallelcluster.cluster import ParallelClusterBlueprint
    from muster.config.stack_file import StackFile

app = typer.Typer(name="pcluster", no_args_is_help=True, add_completion=False, rich_markup_mode=None)
app.command("install")(install)
app.command("validate")(validate)


@app.callback()
def _pcluster() -> None:
    """Print the input of AWS's `pcluster` CLI for a Slurm cluster, or validate it with AWS's own package."""


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
