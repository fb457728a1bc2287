"""An image that an older version built."""

from tests.policies.programs.pcluster import IMAGE, cluster, image

AT = {"pcluster"}
FACTS = image()
FAILING_FACTS = image(parallelclusterVersion="3.14.0")


def passing() -> None:
    cluster(Image={"Os": "alinux2023", "CustomAmi": IMAGE})


def failing() -> None:
    cluster(Image={"Os": "alinux2023", "CustomAmi": IMAGE})
