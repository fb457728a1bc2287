"""The program of every project: it judges the description, then registers its resources."""

from functools import partial

from muster.config.description.kubernetes_cluster import AddonsOf
from muster.deploy import deploy
from muster.deploy.addons import deploy_addons
from muster.gate import judge_deployed, this_stack


def run() -> None:
    """Runs inside `pulumi up`, in the folder of the project.

    Raises:
        pulumi.RunError: the description is refused. Nothing was registered.
    """
    stack = this_stack()
    if isinstance(stack.described, AddonsOf):
        deploy_addons(stack.stack, stack.described, approve=partial(judge_deployed, stack))
    else:
        deploy(stack.derive())
