"""Finds out which format a file has."""

import os
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from muster import json_text, user_files, yaml_text
from muster.plain_data import as_list, value_at
from muster.sources.formats import FORMATS, Format
from muster.sources.source import CannotBeRead, InputFile, file_noun

SUFFIXES = frozenset({".json", ".yaml", ".yml", ".template"})
"""The suffixes of the files that a search in a folder reads."""

TERRAFORM_CODE = frozenset({".tf", ".hcl", ".tofu", ".tfplan"})
"""The suffixes of Terraform's code and of its plans, which are not JSON."""
MAKE_A_PLAN = (
    "save a plan as JSON: `terraform plan -out plan.tfplan && terraform show -json plan.tfplan > plan.json`, and check "
    "plan.json"
)
_ZIP = b"PK\x03\x04"
"""A saved plan of Terraform is a zip file."""


class UnknownFormat(CannotBeRead):
    """The file can be read, but has none of the known formats."""


class Patch(CannotBeRead):
    """The file is a patch of an object in another file."""


def known_formats() -> str:
    """The formats, in words."""
    return ", ".join(each.noun for each in FORMATS)


def open_file(path: Path, inside: Path | None = None) -> InputFile:
    """A file's text and values; ``-`` is stdin.

    Args:
        path: the file.
        inside: for a file that a search found, the folder that no link may leave.

    Raises:
        CannotBeRead: it cannot be read, or is neither JSON nor YAML.
        UnknownFormat: it is Terraform code, a saved binary plan, or text without keys.
    """
    shown = file_noun(path)
    if path.suffix in TERRAFORM_CODE or _is_saved_plan(path):
        what = "a Terraform plan that is not JSON" if path.suffix in (".tfplan", "") else "Terraform code"
        raise UnknownFormat(f"{shown}: is {what}, which Muster does not read; {MAKE_A_PLAN}")
    text = ""
    try:
        text, is_json = _text(path, inside)
        documents = (json_text.load(text, large=True),) if is_json else tuple(yaml_text.load_all(text, template=True))
    except user_files.CannotRead as fault:
        raise CannotBeRead(f"{shown}:{fault.line}:{fault.column}: {fault.got}; {fault.remedy}") from None
    except json_text.NotJson as fault:
        where = f"{shown}:{fault.position.line}:{fault.position.column}"
        raise CannotBeRead(f"{where}: {fault.problem}; {_remedy(text, 'fix the syntax there')}") from None
    except yaml_text.NotYaml as fault:
        where = f"{shown}:{fault.position.line}:{fault.position.column}"
        raise CannotBeRead(f"{where}: {fault.problem}; {_remedy(text, fault.remedy)}") from None
    return InputFile(path, text, documents, is_json)


def _is_saved_plan(path: Path) -> bool:
    try:
        if not path.is_file():
            return False
        with path.open("rb") as opened:
            return opened.read(len(_ZIP)) == _ZIP
    except (OSError, ValueError):
        return False


_EXPRESSIONS = re.compile(r"\{\{|\{%")


def _remedy(text: str, otherwise: str) -> str:
    """What to do about invalid syntax, which a template of Jinja or Helm has until it is rendered."""
    found = _EXPRESSIONS.search(text)
    return f"the file has template expressions ({found[0]}), so render the template first" if found else otherwise


def _text(path: Path, inside: Path | None) -> tuple[str, bool]:
    """The text of a file, and whether it is JSON. YAML is limited as manifests are."""
    text = user_files.read_text(path, user_files.SOURCE, inside)
    begin = text.lstrip()[:2]
    is_json = begin[:1] in ("{", "[") and begin not in ("{{", "{%")
    if not is_json and len(text) > user_files.MANIFEST.most:
        got = f"has {len(text) / 2**20:.1f} MiB of YAML, but Muster reads at most 1 MiB"
        raise user_files.CannotRead(got, "check a part of it, or use JSON")
    return text, is_json


def recognize(file: InputFile) -> Format:
    """The format of a file.

    Raises:
        UnknownFormat: it has none of the known formats; the message names them.
    """
    mappings = [each for each in file.documents if isinstance(each, dict)]
    found = next((each for each in FORMATS if any(map(each.matches, mappings))), None)
    if found is None:
        advice = _advice(file, mappings[0]) if mappings else ""
        what = f"is {advice}" if advice else _what_it_has(file, mappings)
        raise UnknownFormat(f"{file.shown}:1:1: {what}")
    return found


def _advice(file: InputFile, document: dict[str, Any]) -> str:
    if document.get("apiVersion") and document.get("kind"):
        rehearse = f"rehearse it with `muster rehearse STACK --file {file.path}`"
        return f"a Kubernetes manifest ({document['kind']}); {rehearse}"
    if "runtime" in document and "name" in document:
        return (
            "the project file of a Pulumi program; save a preview (`pulumi preview --json > FILE`) and check that file"
        )
    if {"contract", "backend", "resources", "nodes"} <= document.keys():
        return f"the output of `muster plan`; check the stack itself with `muster check {document.get('stack')}`"
    return ""


def _what_it_has(file: InputFile, mappings: Sequence[dict[str, Any]]) -> str:
    """What a file of an unknown format has, and what to do."""
    if any(map(_is_stack, mappings)):
        return "is a stack file; Muster reads stack files only by the name Pulumi.NAME.yaml, so rename it"
    keys = ", ".join(str(key) for each in mappings for key in each)[:80]
    other = "is empty" if not any(file.documents) else "has no keys and values"
    if any(isinstance(each, list) for each in file.documents):
        other = "is a list, and not a mapping of keys and values"
    has = f"has an unknown format (keys: {keys})" if keys else other
    return f"{has}; Muster reads: {known_formats()}"


def _is_stack(document: dict[str, Any]) -> bool:
    config = document.get("config")
    return isinstance(config, dict) and "muster:cluster" in config


def require_whole(path: Path) -> None:
    """Refuses a patch of a kustomization beside it: it has only a part of an object.

    Raises:
        Patch: it is one.
    """
    for each in (path.parent / name for name in _KUSTOMIZATIONS):
        if path.name in _patches(each):
            raise Patch(f"{path}: is a patch of {each}; check the output of `kubectl kustomize {path.parent}`")


_KUSTOMIZATIONS = ("kustomization.yaml", "kustomization.yml", "Kustomization")
_LISTS_OF_PATCHES = ("patches", "patchesStrategicMerge", "patchesJson6902")


@cache
def _patches(kustomization: Path) -> frozenset[str]:
    """The names of the patches beside a kustomization."""
    if not kustomization.is_file():
        return frozenset()
    try:
        (found,) = open_file(kustomization).documents
    except (CannotBeRead, ValueError):
        return frozenset()
    listed = [each for key in _LISTS_OF_PATCHES for each in as_list(value_at(found, key))]
    named = (each if isinstance(each, str) else value_at(each, "path") for each in listed)
    return frozenset(str(each).removeprefix("./") for each in named)


_SIGNS = re.compile(
    r"eksctl\.io/|karpenter\.(sh|k8s\.aws)|AWSTemplateFormatVersion|^Scheduling:|[\"']?InstanceGroups\b|planned_values",
    re.MULTILINE,
)


def looks_known(path: Path) -> bool:
    """Whether a file that cannot be read seems to have a known format: it has an error that its author should see. A
    template that is not rendered does not."""
    try:
        text = user_files.read_text(path, user_files.SOURCE)
    except user_files.CannotRead:
        return False
    return bool(_SIGNS.search(text)) and not _EXPRESSIONS.search(text)


def files_in(path: Path) -> tuple[list[Path], int]:
    """The files at a path that may have a known format, and the number of files of Terraform code beside them. A folder
    is searched, but not its hidden folders and those with packages. A file is itself.

    Raises:
        CannotBeRead: a folder cannot be read, or is too deep.
    """
    if not path.is_dir():
        return [path], 0
    names = list(_names_in(path))
    code = sum(each.suffix in TERRAFORM_CODE for each in names)
    return [each for each in names if each.suffix in SUFFIXES], code


def _names_in(folder: Path) -> Iterator[Path]:
    """The files of a folder, and then those below it. A part that cannot be searched must not look like a clean one.

    Raises:
        CannotBeRead: a folder cannot be read, is too deep, or is a link to a folder that is not searched.
    """
    waiting, links, searched = [(folder, 0)], list[Path](), set[Path]()
    while waiting:
        here, depth = waiting.pop()
        searched.add(here.resolve())
        if depth > user_files.DEEPEST:
            most = user_files.DEEPEST
            raise CannotBeRead(f"{folder}: has folders more than {most} levels deep; check a part of it")
        try:
            entries = sorted(os.scandir(here), key=lambda each: each.name)
        except OSError as fault:
            raise CannotBeRead(f"{here}: cannot be read: {fault.strerror}; make the folder readable") from None
        folders = [each for each in map(Path, entries) if each.is_dir()]
        yield from (each for each in map(Path, entries) if not each.is_dir())
        read = [each for each in folders if not each.name.startswith(".") and each.name not in _PACKAGES]
        links += [each for each in read if each.is_symlink()]
        waiting += [(each, depth + 1) for each in reversed(read) if not each.is_symlink()]
    if out := next((each for each in links if each.resolve() not in searched), None):
        what = "is a link to a folder that this search does not read"
        raise CannotBeRead(f"{out}: {what}; replace the link with the folder, or check the folder that has both")


_PACKAGES = frozenset({"node_modules", "__pycache__", "venv"})
