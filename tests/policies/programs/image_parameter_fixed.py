"""An Auto Scaling group on whatever EKS recommends at the moment."""

from tests.policies.programs.world import a_world, own_workers, plain_template

AT = {"workers"}
EKS = "resolve:ssm:/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/nvidia"


def passing() -> None:
    world = a_world()
    image = "amazon-eks-node-al2023-x86_64-nvidia-1.35-v20260903"
    own_workers(world, plain_template(world, image_id=f"{EKS}/{image}/image_id"))


def failing() -> None:
    world = a_world()
    own_workers(world, plain_template(world, image_id=f"{EKS}/recommended/image_id"))
