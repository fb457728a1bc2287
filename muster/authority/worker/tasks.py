"""What can be asked of the package."""

from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any

from muster.authority.worker.image import image
from muster.authority.worker.judging import by_package, judge, loaded
from muster.authority.worker.policies import policies
from muster.authority.worker.roster import roster
from muster.authority.worker.update import update


def versions() -> dict[str, str]:
    """Whose words these are."""
    return {name: version(name) for name in ("aws-parallelcluster", "moto")}


TASKS: Mapping[str, Callable[..., Any]] = {
    "by_package": by_package,
    "image": image,
    "judge": judge,
    "loaded": loaded,
    "policies": policies,
    "roster": roster,
    "update": update,
    "versions": versions,
}
