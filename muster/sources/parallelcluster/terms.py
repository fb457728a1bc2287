"""The terms of a configuration file. Some rules also judge the file systems of other programs, and name their
properties as Pulumi does: ``storageCapacity``."""

from muster.edits import Terms
from muster.sources.keys import table_of

_KEYS = {name[0].lower() + name[1:]: name for name in table_of("parallelcluster").names}
TERMS = Terms(
    key=lambda name: ".".join(_KEYS.get(each, each) for each in name.split(".")),
    document="file",
    deploy="the deployment",
    later="not in the file",
)
