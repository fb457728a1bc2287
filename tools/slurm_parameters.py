"""Makes `policies/lookups/slurm_parameters.csv`: the parameters of slurm.conf, of its partitions and of its nodes.

    python -m tools.slurm_parameters read_config-24.11.c read_config-25.05.c read_config-25.11.c

The files are `src/common/read_config.c` of github.com/SchedMD/slurm, in the branches of the Slurm versions that
ParallelCluster installs. A parameter is listed if one of the versions has it.
"""

import csv
import re
import sys
from pathlib import Path

TABLE = Path(__file__).resolve().parent.parent / "policies" / "lookups" / "slurm_parameters.csv"

_ARRAYS = {"slurm_conf_options": "cluster", "_partition_options": "partition", "_nodename_options": "node"}
_ARRAY = re.compile(r"s_p_options_t (?P<name>\w+)\[\] = \{(?P<options>.*?)\n\t?\};", re.DOTALL)
_OPTION = re.compile(r'\{"(?P<name>\w+)"\s*,\s*S_P_')


def parameters(source: str) -> set[tuple[str, str]]:
    """Pairs of what a parameter is of, and its name."""
    found = set()
    for array in _ARRAY.finditer(source):
        if array["name"] in _ARRAYS:
            names = _OPTION.findall(array["options"])
            if len(names) != array["options"].count('{"'):
                raise ValueError(f"{array['name']} has entries of another form")
            found |= {(_ARRAYS[array["name"]], name) for name in names}
    return found


def main() -> None:
    """Writes the table."""
    found = set().union(*(parameters(Path(each).read_text(encoding="utf-8")) for each in sys.argv[1:]))
    with TABLE.open("w", encoding="utf-8", newline="") as table:
        rows = csv.writer(table, lineterminator="\n")
        rows.writerow(("of", "parameter"))
        rows.writerows(sorted(found, key=lambda each: (each[0], each[1].lower())))


if __name__ == "__main__":
    main()
