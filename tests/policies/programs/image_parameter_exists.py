"""An Auto Scaling group on a release that the Region does not have."""

from tests.factories import facts
from tests.policies.programs.world import a_world, own_workers, plain_template

AT = {"workers"}
RELEASE = "amazon-eks-node-al2023-x86_64-nvidia-1.35-v20260903"
PATH = f"/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/nvidia/{RELEASE}/image_id"
FACTS = facts(imageParameters={PATH: "ami-0123456789abcdef0"})
FAILING_FACTS = facts(imageParameters={PATH: None})


def passing() -> None:
    world = a_world()
    own_workers(world, plain_template(world, image_id=f"resolve:ssm:{PATH}"))


failing = passing
