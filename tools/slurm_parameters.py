"""Writes the tables of slurm.conf in `policies/lookups/`: parameters with their types, plugins, and words.

    python -m tools.slurm_parameters CLONE slurm-24.11 slurm-25.05 slurm-25.11

CLONE is a clone of github.com/SchedMD/slurm. The other arguments are the branches of the Slurm versions that
ParallelCluster installs. The tables contain everything that at least one of these versions has. A number has the widest
of its types.
"""

import csv
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import which

from muster import child_process

FOLDER = Path(__file__).resolve().parent.parent / "policies" / "lookups"

_ARRAYS = {"slurm_conf_options": "cluster", "_partition_options": "partition", "_nodename_options": "node"}
_ARRAY = re.compile(r"s_p_options_t (?P<name>\w+)\[\] = \{(?P<options>.*?)\n\t?\};", re.DOTALL)
_OPTION = re.compile(r'\{"(?P<name>\w+)"\s*,\s*S_P_(?P<type>\w+)\s*(?P<handler>,)?')
_TYPES = ("BOOLEAN", "UINT16", "UINT32", "UINT64")
"""Types that `src/common/parse_value.c` validates. Slurm parses text in other places, or not at all."""

_READ_CONFIG, _DEFINITIONS = "src/common/read_config.c", "src/common/slurm_protocol_defs.c"
_LEVELS = (_DEFINITIONS, "log_string2num")
_WORDS = {
    "DebugFlags": (_READ_CONFIG, "debug_str2flags"),
    "EnforcePartLimits": (_DEFINITIONS, "parse_part_enforce_type"),
    "PreemptMode": (_DEFINITIONS, "preempt_mode_num"),
    "PrologFlags": (_READ_CONFIG, "prolog_str2flags"),
    "SelectTypeParameters": (_READ_CONFIG, "_parse_select_type_param"),
    "SlurmctldDebug": _LEVELS,
    "SlurmctldSyslogDebug": _LEVELS,
    "SlurmdDebug": _LEVELS,
    "SlurmdSyslogDebug": _LEVELS,
}
"""Parameter of the cluster -> the file and the function that compares its words. Another word stops slurmctld."""
_WORD = re.compile(r'xstrcasecmp\(\s*\w+,\s*"([^"]+)"\)')

_GIT = which("git") or "git"
_PLUGINS = "src/plugins"
_FOLDER_OF_ONE = re.compile(rf"{_PLUGINS}/(\w+)/([\w.-]+)")
_SHARED = frozenset({"common", "common_xkcp"})
"""Folders of source that plugins share."""
_COMMENT = re.compile(r"\s*(\*|/\*|//)")
_PATHS_OF_JSON = f"{_PLUGINS}/data_parser"
"""Its literals are paths in JSON documents, such as "priority/tier"."""
_LITERAL = re.compile(r'"(\w+)/([\w.-]+)"')


def parameters(source: str) -> set[tuple[str, str, str]]:
    """The scope of a parameter, its name and its type, which is empty for text and for parameters with a handler."""
    found = set()
    for array in _ARRAY.finditer(source):
        if array["name"] in _ARRAYS:
            options = list(_OPTION.finditer(array["options"]))
            if len(options) != array["options"].count('{"'):
                raise ValueError(f"{array['name']} has entries in an unknown format")
            found |= {(_ARRAYS[array["name"]], each["name"], _type(each)) for each in options}
    return found


def _type(option: re.Match[str]) -> str:
    return option["type"].lower() if option["type"] in _TYPES and not option["handler"] else ""


def merged(found: Iterable[tuple[str, str, str]]) -> Iterator[tuple[str, str, str]]:
    """One row for each parameter. If its types differ between versions: the widest number, or no type."""
    types = defaultdict(set)
    for of, name, kind in found:
        types[of, name].add(kind)
    for (of, name), all_types in types.items():
        numbers = all(each.startswith("uint") for each in all_types)
        yield of, name, max(all_types) if numbers or len(all_types) == 1 else ""


def words(source: str, function: str) -> list[str]:
    """The words that a function compares its argument with.

    Raises:
        ValueError: the source does not contain the function, or the function compares no words.
    """
    body = re.search(rf"^[\w ]+ \*?{function}\([^;{{]*\)\s*\{{.*?^\}}", source, re.DOTALL | re.MULTILINE)
    if body is None or not (found := _WORD.findall(body[0])):
        raise ValueError(f"the source does not contain {function}, or in an unknown format")
    return found


@dataclass(frozen=True, slots=True)
class Clone:
    """A clone of Slurm's repository."""

    folder: Path

    def text(self, branch: str, path: str) -> str:
        """A file's text."""
        return self._git("show", f"{branch}:{path}")

    def plugins(self, branch: str) -> set[tuple[str, str]]:
        """Types and names, from folders and from literals in the source. The literals include old names."""
        listed = self._git("ls-tree", "-r", "-d", "--name-only", branch, f"{_PLUGINS}/").splitlines()
        folders = [each.groups() for each in map(_FOLDER_OF_ONE.fullmatch, listed) if each]
        types = sorted({each[0] for each in folders})
        found = {(type_, name) for type_, name in folders if name not in _SHARED}
        pattern = f'"({"|".join(types)})/'
        lines = self._git("grep", "-hE", pattern, branch, "--", "src", f":!{_PATHS_OF_JSON}").splitlines()
        literals = [each for line in lines if not _COMMENT.match(line) for each in _LITERAL.findall(line)]
        return found | {each for each in literals if each[0] in types}

    def _git(self, *arguments: str) -> str:
        ran = child_process.run([_GIT, "-C", self.folder.absolute(), *arguments])
        if ran.returncode:
            sys.exit(ran.stderr)
        return ran.stdout


def main() -> None:
    """Writes the tables."""
    clone, branches = Clone(Path(sys.argv[1])), sys.argv[2:]
    found = merged(row for branch in branches for row in parameters(clone.text(branch, _READ_CONFIG)))
    _write("slurm_parameters.csv", ("of", "parameter", "type"), found)
    _write("slurm_plugins.csv", ("type", "name"), set().union(*map(clone.plugins, branches)))
    _write(
        "slurm_words.csv",
        ("parameter", "word"),
        {
            (parameter, word)
            for parameter, (path, function) in _WORDS.items()
            for branch in branches
            for word in words(clone.text(branch, path), function)
        },
    )


def _write(name: str, head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    with (FOLDER / name).open("w", encoding="utf-8", newline="") as table:
        written = csv.writer(table, lineterminator="\n")
        written.writerow(head)
        written.writerows(sorted(rows, key=lambda row: (row[0], row[1].lower(), *row[1:])))


if __name__ == "__main__":
    main()
