"""Rocky Linux, and no image."""

from tests.policies.programs.pcluster import IMAGE, cluster, image

AT = {"pcluster"}
FACTS = image(os="rocky9")


def passing() -> None:
    cluster(Image={"Os": "rocky9", "CustomAmi": IMAGE})


def failing() -> None:
    cluster(Image={"Os": "rocky9"})
