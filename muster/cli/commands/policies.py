"""`muster policies`: the policy pack, for Pulumi."""

import hashlib
import shutil
import sys
from pathlib import Path

import typer
import yaml

import muster
from muster import terminal, written_files
from muster.cli.findings import CONTRACT
from muster.cli.options import Json
from muster.cli.rule_selection import Pack, use_packs
from muster.cli.writers.json import dump
from muster.finding import WrongInput
from muster.written_files import cache_folder

app = typer.Typer(name="policies", no_args_is_help=True, add_completion=False, rich_markup_mode=None)


@app.callback()
def _policies() -> None:
    """Print where the policy pack is, for `pulumi preview --policy-pack`."""


@app.command("path")
def path(*, pack: Pack = None, as_json: Json = False) -> None:
    """Print the folder of the policy pack.

    `pulumi preview --policy-pack "$(muster policies path)"` evaluates the rules on what a program registers. Run it in
    the folder of the program: in a project of Muster, the pack then also reads the stack's file and its facts. The
    folder is in the cache. Pulumi starts the pack with the Python of this `muster`. With --pack: the folder of a
    second pack, which has only your own rules.
    """
    use_packs(pack or ())
    folder = str(pack_folder(tuple(str(each.resolve()) for each in pack or ())))
    terminal.write(dump({"contract": CONTRACT, "path": folder}) if as_json else f"{folder}\n")


_PROJECT_FILE = "PulumiPolicy.yaml"


def pack_folder(own: tuple[str, ...] = ()) -> Path:
    """The folder of the pack for the project around us, in the cache. Pulumi runs what is in it, so it has these files
    with these texts and no others.

    Args:
        own: the folders with rules of users, if it is a pack of these.

    Raises:
        WrongInput: it cannot be written.
    """
    texts = {_PROJECT_FILE: _project_file(), "__main__.py": _program(own)}
    folder = cache_folder() / "policies" / hashlib.sha256("".join(texts.values()).encode()).hexdigest()[:16]
    try:
        written_files.make_folder(folder)
        for each in folder.iterdir():
            if not _has(each, texts.get(each.name)):
                _remove(each)
        for name, text in texts.items():
            if not (folder / name).is_file():
                written_files.write(folder / name, text)
    except OSError as fault:
        raise WrongInput(
            f"cannot write '{folder}': {fault.strerror}; set XDG_CACHE_HOME to a folder you can write to"
        ) from None
    return folder


def _has(path: Path, text: str | None) -> bool:
    return text is not None and path.is_file() and not path.is_symlink() and path.read_bytes() == text.encode()


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def _project_file() -> str:
    """The checkout's, with this Python.

    With `toolchain: pip` the engine starts bin/python of `virtualenv` as it is. Without `virtualenv` it starts the
    first python3 of PATH.
    """
    file = Path(muster.__file__).resolve().parent / "policies" / _PROJECT_FILE
    document = yaml.safe_load(file.read_text(encoding="utf-8"))
    document["runtime"]["options"] = {"toolchain": "pip"}
    environment = Path(sys.prefix).resolve()
    if (environment / "bin" / "python").exists():
        document["runtime"]["options"]["virtualenv"] = str(environment)
    return yaml.safe_dump(document, sort_keys=False)


def _program(own: tuple[str, ...]) -> str:
    """The program of the pack. The engine starts it in the pack's folder, and does not pass that of the project."""
    from muster.stack import project

    try:
        change = f"os.chdir({str(project.root())!r})\n"
    except project.NoProject:  # a program of another team
        change = ""
    return f"import os\n\nfrom muster.policies.analyzer import serve\n\n{change}serve({', '.join(map(repr, own))})\n"
