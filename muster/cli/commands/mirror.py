"""`muster mirror`: the charts and images to copy for a cluster without internet access."""

import re
import shlex
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from muster import terminal
from muster.cli.exits import Exit
from muster.cli.findings import CONTRACT
from muster.cli.options import Json, Stack
from muster.cli.writers.json import dump
from muster.finding import WrongInput
from muster.terminal import visible

if TYPE_CHECKING:
    from muster.addons.charts.mirror import Copy, MirrorList
    from muster.addons.context import AddonContext, Mirrors
    from muster.blueprint.cluster import Blueprint

_OCI = "oci://"


def mirror(
    stack: Stack,
    *,
    script: Annotated[
        bool,
        typer.Option("--script", help="Print a shell script that copies with skopeo and helm."),
    ] = False,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="REGISTRY",
            help="Target registry. Default: the description's image-mirror and chart-mirror.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """List the charts and images that a cluster without internet access needs, with their copy targets.

    In the mirror, an image keeps its name without the name of the original registry; a chart keeps only its own name.
    With --to R, images go below R and charts below oci://R/charts. The command copies nothing.
    """
    from muster.addons.charts.mirror import mirror_list
    from muster.addons.context import AddonContext
    from muster.cli.stacks import open_kubernetes

    if as_json and script:
        raise WrongInput("--json and --script are different output formats; give only one of them")
    blueprint = open_kubernetes(stack)
    context = AddonContext.of_blueprint(blueprint)
    where = _where(to, context)
    if script and not (where.images or where.charts):
        raise WrongInput("the target is not set; give --to REGISTRY, or set image-mirror and chart-mirror")
    found = mirror_list(context, where, _job_images(blueprint))
    if as_json:
        terminal.write(dump(_described(blueprint.stack, found)))
    else:
        lines = script_lines(blueprint.stack, found, where) if script else _plain(blueprint.stack, found)
        terminal.write("".join(f"{line}\n" for line in lines))
    for name, sources in found.clashes.items():
        terminal.complain(
            f"{name} would be the name of both {' and '.join(sources)}: copy one of them under another name"
        )
    if found.clashes:
        raise typer.Exit(Exit.FINDINGS)


def _where(to: str | None, context: "AddonContext") -> "Mirrors":
    from pydantic import TypeAdapter, ValidationError

    from muster.addons.context import Mirrors
    from muster.config.description.addons import ImageRegistry

    if to is None:
        return context.mirrors
    try:
        registry: str = TypeAdapter(ImageRegistry).validate_python(to)
    except ValidationError as fault:
        problem = str(fault.errors()[0]["msg"]).removeprefix("Value error, ")
        raise WrongInput(f"--to: {problem}") from None
    return Mirrors(f"{_OCI}{registry}/charts", registry)


def _job_images(blueprint: "Blueprint") -> Mapping[str, tuple[str, ...]]:
    """Job -> the original names of its images, for Muster's jobs that the cluster can run. Images that users build are
    already in their registry."""
    from muster.jobs.catalogue import JOBS, can_run
    from muster.jobs.images import IMAGES

    return {name: (job.image,) for name, job in JOBS.items() if job.image not in IMAGES and can_run(blueprint, job)}


def _plain(stack: str, found: "MirrorList") -> Iterator[str]:
    yield f"# {visible(stack)}: what, from where, to where, digest, for whom"
    for each in found.copies:
        fields = (each.what, source(each), each.destination or "-", each.digest or "unknown")
        yield "\t".join(visible(field) for field in (*fields, ", ".join(each.users)))
    for remark in remarks(found):
        yield f"# {remark}"


def source(each: "Copy") -> str:
    """The source of a copy: a reference, or a chart's name, version and index."""
    if each.of_index:
        return f"{each.name} {each.version} of {each.source}"
    return f"{each.source}:{tag(each)}" if each.version else each.source


def tag(each: "Copy") -> str:
    """A chart's version as a registry's tag, which cannot have a plus sign (Helm, "Use OCI-based registries")."""
    return (each.version or "").replace("+", "_")


def remarks(found: "MirrorList") -> Iterator[str]:
    """Remarks about the list: what is not copied, and what is unknown."""
    for each in found.fetched:
        what = f"the {each.kind} of {each.addon}: {each.address}"
        yield visible(f"not copied: {what}. Only the machine that deploys reads it; the cluster needs only its images")
    own = f": {', '.join(found.eks)}, and EKS's own" if found.eks else ""
    yield f"not copied: images of EKS add-ons{own}. EKS pulls them from its registry in the cluster's Region"
    for unknown in found.unknown:
        yield visible(f"unknown: {unknown.addon}: {unknown.why}; helm template prints them")


def _described(stack: str, found: "MirrorList") -> dict[str, Any]:
    """All of it. An unknown digest is null."""
    return {
        "contract": CONTRACT,
        "stack": stack,
        "charts": [{"name": each.name, "version": each.version, **_copy_json(each)} for each in found.charts],
        "images": [_copy_json(each) for each in found.images],
        "fetched": [{"addon": each.addon, "kind": each.kind, "address": each.address} for each in found.fetched],
        "eks": list(found.eks),
        "unknown": [{"addon": each.addon, "why": each.why} for each in found.unknown],
    }


def _copy_json(each: "Copy") -> dict[str, Any]:
    return {"source": each.source, "destination": each.destination, "digest": each.digest, "for": list(each.users)}


_ECR = re.compile(r"\d{12}\.dkr\.ecr(-fips)?\.(?P<region>[a-z0-9-]+)\.(amazonaws\.com(\.cn)?|on\.aws)")


_COPY = "skopeo copy --all --preserve-digests"
"""`--all` copies every architecture of an image."""


def script_lines(stack: str, found: "MirrorList", where: "Mirrors") -> Iterator[str]:
    """The whole script."""
    yield "#!/bin/sh"
    yield f"# What stack {visible(stack)} needs, copied to a mirror with skopeo. Printed by `muster mirror`."
    yield "set -eu"
    yield from _logins(found, where)
    if where.images:
        for each in found.images:
            yield from _copy_image(each)
    else:
        yield "# images are not copied: the description has no image-mirror"
    if where.charts:
        yield from _copy_charts(found, where.charts)
    else:
        yield "# charts are not copied: the description has no chart-mirror"
    for remark in remarks(found):
        yield f"# {remark}"
    yield "# then write into the description:"
    for key, value in (("image-mirror", where.images), ("chart-mirror", where.charts)):
        if value:
            yield f"#   {key}: {value}"


def _host(address: str) -> str:
    return address.removeprefix(_OCI).partition("/")[0]


def _logins(found: "MirrorList", where: "Mirrors") -> Iterator[str]:
    """ECR's passwords come from AWS; whether other registries need one is unknown here."""
    into = {_host(each) for each in (where.images, where.charts) if each}
    hosts = sorted({*into, *(_host(each.source) for each in found.copies if not each.of_index)})
    for host in hosts:
        if ecr := _ECR.fullmatch(host):
            words = f"aws ecr get-login-password --region {ecr['region']}"
            yield f"{words} | skopeo login --username AWS --password-stdin {host}"
            if where.charts and host == _host(where.charts):
                yield f"{words} | helm registry login --username AWS --password-stdin {host}"


def _copy(source: str, destination: str) -> str:
    return f"{_COPY} docker://{shlex.quote(source)} docker://{shlex.quote(destination)}"


def _copy_image(each: "Copy") -> Iterator[str]:
    destination = each.destination or ""
    yield from _repository(destination)
    name, at, _ = each.source.partition("@")
    pinned = f"{_untagged(name)}@{each.digest}" if each.digest and not at else each.source
    yield _copy(pinned, destination)


def _untagged(reference: str) -> str:
    """The reference without its tag: Skopeo refuses a reference with both a tag and a digest."""
    head, slash, last = reference.rpartition("/")
    return f"{head}{slash}{last.partition(':')[0]}"


def _repository(destination: str) -> Iterator[str]:
    """The command that creates a missing ECR repository, which a push does not create; nothing for other registries."""
    host, _, path = destination.removeprefix(_OCI).partition("/")
    if ecr := _ECR.fullmatch(host):
        name = _untagged(path.partition("@")[0])
        options = f"--region {ecr['region']} --repository-name{{}} {shlex.quote(name)}"
        there = f"aws ecr describe-repositories {options.format('s')}"
        yield f"{there} >/dev/null 2>&1 || aws ecr create-repository {options.format('')} >/dev/null"


def _copy_charts(found: "MirrorList", mirror: str) -> Iterator[str]:
    if not found.charts:
        return
    yield "charts=$(mktemp -d)"
    for each in found.charts:
        version, folder = shlex.quote(each.version or ""), f'"$charts"/{shlex.quote(each.name)}'
        if not each.of_index and mirror.startswith(_OCI):
            yield from _repository(each.destination or "")
            pinned = f"@{each.digest}" if each.digest else f":{tag(each)}"
            destination = f"{(each.destination or '').removeprefix(_OCI)}:{tag(each)}"
            yield _copy(f"{each.source.removeprefix(_OCI)}{pinned}", destination)
            continue
        named = f"{shlex.quote(each.name)} --repo " if each.of_index else ""
        named += shlex.quote(each.source)
        yield f"mkdir -p {folder} && helm pull {named} --version {version} --destination {folder}"
        if mirror.startswith(_OCI):
            yield from _repository(each.destination or "")
            yield f"helm push {folder}/*.tgz {shlex.quote(mirror.rstrip('/'))}"
    if not mirror.startswith(_OCI):
        yield f"# copy the .tgz files below $charts to the place that {mirror} serves them, and renew its index there:"
        yield f"#   helm repo index . --url {mirror}"
        yield 'echo "the charts are in $charts"'
