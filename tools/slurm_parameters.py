"""Writes `policies/lookups/slurm_parameters.csv`, the parameters of a cluster, a partition and a node in slurm.conf.

    python -m tools.slurm_parameters READ_CONFIG...

Each argument is the file `src/common/read_config.c` of one version of Slurm (github.com/SchedMD/slurm). The table has
every parameter that at least one of them has.
"""

import csv
import re
import sys
from pathlib import Path

TABLE = Path(__file__).resolve().parent.parent / "policies" / "lookups" / "slurm_parameters.csv"
_ARRAYS = {"slurm_conf_options": "cluster", "_partition_options": "partition", "_nodename_options": "node"}
_ARRAY = re.compile(rf"s_p_options_t ({'|'.join(_ARRAYS)})\[\] = \{{(.*?)\n\t?\}};", re.DOTALL)
_OPTION = re.compile(r'\{\s*"(\w+)"\s*,\s*S_P_')


def main() -> None:
    """Writes the table."""
    texts = [Path(each).read_text(encoding="utf-8") for each in sys.argv[1:]]
    arrays = [each for text in texts for each in _ARRAY.findall(text)]
    found = {(_ARRAYS[array], name) for array, options in arrays for name in _OPTION.findall(options)}
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([["of", "parameter"], *sorted(found)])


if __name__ == "__main__":
    main()
