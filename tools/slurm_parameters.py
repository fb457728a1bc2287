"""Writes `policies/lookups/slurm_parameters.csv`, the parameters of a cluster in slurm.conf.

    python -m tools.slurm_parameters READ_CONFIG...

Each argument is the file `src/common/read_config.c` of one version of Slurm (github.com/SchedMD/slurm). The table has
every parameter that at least one of them has.
"""

import csv
import re
import sys
from pathlib import Path

TABLE = Path(__file__).resolve().parent.parent / "policies" / "lookups" / "slurm_parameters.csv"
_ARRAY = re.compile(r"s_p_options_t slurm_conf_options\[\] = \{(.*?)\n\t?\};", re.DOTALL)
_OPTION = re.compile(r'\{"(\w+)"\s*,\s*S_P_')


def main() -> None:
    """Writes the table."""
    texts = [Path(each).read_text(encoding="utf-8") for each in sys.argv[1:]]
    found = {name for text in texts for array in _ARRAY.findall(text) for name in _OPTION.findall(array)}
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([["parameter"], *([name] for name in sorted(found))])


if __name__ == "__main__":
    main()
