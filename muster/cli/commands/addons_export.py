"""`muster addons export`: what a GitOps tool applies."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from muster import terminal, user_files, written_files
from muster.cli.options import Stack, day
from muster.finding import WrongInput
from muster.message_text import in_words, or_list
from muster.terminal import visible

if TYPE_CHECKING:
    from muster.addons.context import AddonContext
    from muster.addons.gitops.parts import Files
    from muster.blueprint.cluster import Blueprint
    from muster.contract import Cluster


def addons_export(
    stack: Stack,
    *,
    form: Annotated[
        str | None,
        typer.Option(
            "--format", metavar="TOOL", help="Tool: argo-cd, flux or helmfile. Default: that of the description."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Folder of the files. Default: print them.")
    ] = None,
    outputs: Annotated[
        Path | None,
        typer.Option(
            "--outputs",
            metavar="FILE",
            help="Outputs of the cluster's stack (`pulumi stack output --json`), for values that AWS sets.",
        ),
    ] = None,
    repository: Annotated[
        str, typer.Option("--repository", metavar="URL", help="Git repository of the folder. Argo CD needs it.")
    ] = "",
    path: Annotated[
        str | None,
        typer.Option("--path", help="Path of the folder in the repository. Default: that of --out in its checkout."),
    ] = None,
    destination: Annotated[
        str,
        typer.Option(
            "--destination", metavar="NAME", help="The cluster's name in Argo CD, if Argo CD runs on another cluster."
        ),
    ] = "",
) -> None:
    """Write what Argo CD, Flux or helmfile applies for the add-ons of a stack.

    These are the add-ons with `installed-by: argo-cd`, `flux` or `helmfile`: pinned charts with Muster's values, their
    order, and SHA256SUMS of all files. `pulumi up` creates their roles in AWS. If a stack has mandatory findings, the
    command prints only the findings, on stderr.
    """
    from muster.addons.gitops import WRITERS
    from muster.addons.gitops.parts import Target, parts
    from muster.cli.stacks import open_stacks, require_kubernetes, require_passing
    from muster.config.description.kubernetes_cluster import AddonsOf
    from muster.stack.stack_file import with_outputs

    opened = open_stacks([stack])[0]
    given = _read_outputs(outputs) if outputs else None
    if given and isinstance(opened.described, AddonsOf):
        opened = with_outputs(opened, given)
    blueprint = require_kubernetes(require_passing(opened, day(None)))
    context = _context(blueprint, given)
    tool = _tool(form, context, blueprint.stack)
    if path is None:
        path = "." if tool == "helmfile" else _path(out)
    if tool == "argo-cd" and not repository:
        raise WrongInput("Argo CD reads the files from a Git repository; give it as --repository URL")
    target = Target(blueprint.cluster_name, repository, path, destination)
    made = WRITERS[tool](parts(context, tool), target)
    texts = dict(_texts(made, f"Stack {blueprint.stack}, for {tool}. Written by `muster addons export`."))
    if out is None:
        terminal.write("".join(f"# {visible(name)}\n---\n{text}" for name, text in texts.items()))
        return
    _write(out, texts)
    terminal.write_lines([f"wrote {len(texts)} files to {visible(str(out))}"])


def _read_outputs(file: Path) -> "Cluster":
    from muster.contract import Cluster, NotTheContract
    from muster.json_text import NotJson, load

    try:
        data = load(user_files.read_text(file, user_files.SAVED))
        return Cluster.read(data if isinstance(data, dict) else {})
    except NotJson as fault:
        raise WrongInput(f"--outputs {file} {fault}") from None
    except (user_files.CannotRead, NotTheContract) as fault:
        raise WrongInput(*f"--outputs {file}: {fault}".split("\n")) from None


def _context(blueprint: "Blueprint", outputs: "Cluster | None") -> "AddonContext":
    """The cluster, with the file systems as AWS has them if outputs are given."""
    from muster.addons.context import AddonContext, Volume

    context = AddonContext.of_blueprint(blueprint)
    if outputs is None:
        return context
    if outputs.cluster.name != context.cluster:
        raise WrongInput(f"--outputs has the cluster {outputs.cluster.name}, but this stack is for {context.cluster}")
    found = {name: Volume.of_output(name, each) for name, each in outputs.storage.items()}
    return replace(context, volumes=tuple(found.get(each.name, each) for each in context.volumes))


def _tool(form: str | None, context: "AddonContext", stack: str) -> str:
    """The tool whose files to write."""
    from muster.addons.gitops import WRITERS

    used = [tool for tool in WRITERS if (here := context.own.applied_by(tool)).chosen or here.charts]
    if not used:
        how = "set installed-by, as in addons: {installed-by: flux}"
        raise WrongInput(f"Pulumi installs every add-on of {stack}; {how}")
    if form not in used and (form or len(used) > 1):
        raise WrongInput(f"the add-ons of {stack} are for {in_words(used)}; give --format {or_list(used)}")
    return form or used[0]


def _path(out: Path | None) -> str:
    """The path of a folder in its checkout."""
    here = (out or Path()).absolute()
    root = next((each for each in here.parents if (each / ".git").exists()), None)
    if out is None or root is None:
        raise WrongInput(f"{out or 'the folder'} is in no checkout of Git; give its path in the repository as --path")
    return here.relative_to(root).as_posix()


def _texts(made: "Files", title: str) -> Iterator[tuple[str, str]]:
    from muster.jobs.manifest_yaml import dump

    for name, documents in made.items():
        yield name, f"# {visible(title)}\n" + "---\n".join(dump(each, 4096) for each in documents)


def _write(out: Path, texts: Mapping[str, str]) -> None:
    """Writes the files, and their checksums.

    Raises:
        WrongInput: a file would be lost that no export wrote; nothing is written.
    """
    sums = out / "SHA256SUMS"
    wanted = "".join(_sum(name, text.encode()) for name, text in texts.items())
    try:
        known = wanted + (sums.read_text(errors="replace") if sums.is_file() else "")
        there = [name for name in texts if (out / name).is_file()]
        if changed := [out / name for name in there if _sum(name, (out / name).read_bytes()) not in known]:
            how = "was not written by `muster addons export`, or changed since; move it, and export again"
            raise WrongInput(*(f"{file} {how}" for file in changed))
        for name, text in {**texts, sums.name: wanted}.items():
            written_files.make_folder((out / name).parent)
            written_files.write(out / name, text)
    except (OSError, ValueError) as fault:  # ValueError: a name that no file can have
        reason = getattr(fault, "strerror", None) or fault
        where = getattr(fault, "filename", None) or out
        raise WrongInput(f"cannot write to '{where}': {reason}; give another folder as --out") from None


def _sum(name: str, data: bytes) -> str:
    return f"{hashlib.sha256(data).hexdigest()}  {name}\n"
