"""Writes `policies/lookups/slurm_parameters.csv`, the parameters of a cluster, a partition and a node in slurm.conf.

    python -m tools.slurm_parameters VALIDATOR READ_CONFIG...

The first argument is `pcluster/validators/slurm_settings_validator.py` of AWS ParallelCluster's package. Each other is
the file `src/common/read_config.c` of one version of Slurm (github.com/SchedMD/slurm). The table has every parameter
that at least one of them has, and which of them ParallelCluster refuses: always, or in a cluster with a database.
"""

import ast
import csv
import re
import sys
from pathlib import Path

TABLE = Path(__file__).resolve().parent.parent / "policies" / "lookups" / "slurm_parameters.csv"
_ARRAYS = {"slurm_conf_options": "cluster", "_partition_options": "partition", "_nodename_options": "node"}
_ARRAY = re.compile(rf"s_p_options_t ({'|'.join(_ARRAYS)})\[\] = \{{(.*?)\n\t?\}};", re.DOTALL)
_LEVELS = {"SlurmConf": "cluster", "Queue": "partition", "ComputeResource": "node"}
_REFUSED = {"Global": "always", "Accounting": "with-database"}
_OPTION = re.compile(r'\{\s*"(\w+)"\s*,\s*S_P_')


def main() -> None:
    """Writes the table."""
    validator, *texts = [Path(each).read_text(encoding="utf-8") for each in sys.argv[1:]]
    arrays = [each for text in texts for each in _ARRAY.findall(text)]
    found = {(_ARRAYS[array], name) for array, options in arrays for name in _OPTION.findall(options)}
    refused = _refused(validator)
    known = {(of, name.lower()) for of, name in found}
    rows = sorted((*found, *(each for each in refused if each not in known)))
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["of", "parameter", "parallelcluster-refuses"])
        table.writerows((of, name, refused.get((of, name.lower()), "")) for of, name in rows)


def _refused(validator: str) -> dict[tuple[str, str], str]:
    """What ParallelCluster refuses, in small letters, and when."""
    (lists,) = (
        ast.literal_eval(each.value)
        for each in ast.parse(validator).body
        if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == "SLURM_SETTINGS_DENY_LIST"
    )
    return {
        (_LEVELS[level], name): _REFUSED[when]
        for level, contexts in lists.items()
        for when, names in contexts.items()
        for name in names
    }


if __name__ == "__main__":
    main()
