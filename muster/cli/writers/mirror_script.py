"""What to copy, as a script for a shell: images with skopeo or oras, charts of an index with helm.

Sources of the commands: containers/skopeo, `docs/skopeo-copy.1.md`; oras.land, "oras cp"; helm.sh, "Use OCI-based
registries" (`helm push` puts NAME:VERSION below the address it is given).
"""

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from addons.mirror import OCI, Copy, List
from addons.site import Mirrors
from muster.cli.terminal import one_line
from muster.cli.writers.mirror_plain import remarks, tag

_ECR = re.compile(r"\d{12}\.dkr\.ecr(-fips)?\.(?P<region>[a-z0-9-]+)\.(amazonaws\.com(\.cn)?|on\.aws)")


@dataclass(frozen=True, slots=True)
class Tool:
    """Copies between registries."""

    name: str
    copy: str
    """With `{source}` and `{destination}`: references, without a scheme."""

    def line(self, source: str, destination: str) -> str:
        """One copy."""
        return self.copy.format(source=shlex.quote(source), destination=shlex.quote(destination))


TOOLS: Mapping[str, Tool] = {
    "skopeo": Tool("skopeo", "skopeo copy --all --preserve-digests docker://{source} docker://{destination}"),
    "oras": Tool("oras", "oras cp {source} {destination}"),
}
"""`--all`: every architecture of an image; oras takes them by itself."""


def write(stack: str, found: List, where: Mirrors, tool: Tool) -> str:
    """The whole script."""
    return "".join(f"{line}\n" for line in _lines(stack, found, where, tool))


def _lines(stack: str, found: List, where: Mirrors, tool: Tool) -> Iterator[str]:
    yield "#!/bin/sh"
    yield f"# What stack {one_line(stack)} needs, copied to a mirror with {tool.name}. Printed by `muster mirror`."
    yield "set -eu"
    yield from _logins(found, where, tool)
    if where.images:
        for each in found.images:
            yield from _image(each, tool)
    else:
        yield "# images are not copied: the description has no image-mirror"
    if where.charts:
        yield from _charts(found, where.charts, tool)
    else:
        yield "# charts are not copied: the description has no chart-mirror"
    for remark in remarks(found):
        yield f"# {remark}"
    yield "# then write into the description:"
    for key, value in (("image-mirror", where.images), ("chart-mirror", where.charts)):
        if value:
            yield f"#   {key}: {value}"


def _host(address: str) -> str:
    return address.removeprefix(OCI).partition("/")[0]


def _logins(found: List, where: Mirrors, tool: Tool) -> Iterator[str]:
    """ECR's passwords come from AWS; of other registries nobody knows here whether they want any."""
    into = {_host(each) for each in (where.images, where.charts) if each}
    hosts = sorted({*into, *(_host(each.source) for each in found.copies if not each.of_index)})
    for host in hosts:
        if ecr := _ECR.fullmatch(host):
            words = f"aws ecr get-login-password --region {ecr['region']}"
            yield f"{words} | {tool.name} login --username AWS --password-stdin {host}"
            if where.charts and host == _host(where.charts):
                yield f"{words} | helm registry login --username AWS --password-stdin {host}"


def _image(each: Copy, tool: Tool) -> Iterator[str]:
    destination = each.destination or ""
    yield from _repository(destination)
    name, at, _ = each.source.partition("@")
    pinned = f"{_untagged(name)}@{each.digest}" if each.digest and not at else each.source
    yield tool.line(pinned, destination)


def _untagged(reference: str) -> str:
    """Skopeo takes no reference with both a tag and a digest."""
    head, slash, last = reference.rpartition("/")
    return f"{head}{slash}{last.partition(':')[0]}"


def _repository(destination: str) -> Iterator[str]:
    """ECR makes no repository by itself."""
    host, _, path = destination.removeprefix(OCI).partition("/")
    if ecr := _ECR.fullmatch(host):
        name = _untagged(path.partition("@")[0])
        asked = f"--region {ecr['region']} --repository-name{{}} {shlex.quote(name)}"
        there = f"aws ecr describe-repositories {asked.format('s')}"
        yield f"{there} >/dev/null 2>&1 || aws ecr create-repository {asked.format('')} >/dev/null"


def _charts(found: List, mirror: str, tool: Tool) -> Iterator[str]:
    if not found.charts:
        return
    yield "charts=$(mktemp -d)"
    for each in found.charts:
        version, folder = shlex.quote(each.version or ""), f'"$charts"/{shlex.quote(each.name)}'
        if not each.of_index and mirror.startswith(OCI):
            yield from _repository(each.destination or "")
            pinned = f"@{each.digest}" if each.digest else f":{tag(each)}"
            destination = f"{(each.destination or '').removeprefix(OCI)}:{tag(each)}"
            yield tool.line(f"{each.source.removeprefix(OCI)}{pinned}", destination)
            continue
        named = (
            f"{shlex.quote(each.name)} --repo {shlex.quote(each.source)}" if each.of_index else shlex.quote(each.source)
        )
        yield f"mkdir -p {folder} && helm pull {named} --version {version} --destination {folder}"
        if mirror.startswith(OCI):
            yield from _repository(each.destination or "")
            yield f"helm push {folder}/*.tgz {shlex.quote(mirror.rstrip('/'))}"
    if not mirror.startswith(OCI):
        yield f"# put the .tgz files below $charts where {mirror} serves them, and renew its index there:"
        yield f"#   helm repo index . --url {mirror}"
        yield 'echo "the charts are in $charts"'
