"""What `pulumi up` runs: the description is judged, then deployed."""

from functools import partial

from deploy import deploy
from deploy.addons import deploy_addons
from gate import judge_deployed, this_stack
from muster.config.description.kubernetes_cluster import AddonsOf

stack = this_stack()
if isinstance(stack.described, AddonsOf):
    deploy_addons(stack.stack, stack.described, approve=partial(judge_deployed, stack))
else:
    deploy(stack.derive())
