"""A root volume that is smaller than its image."""

from tests.policies.programs.pcluster import IMAGE, cluster, head, image

AT = {"pcluster"}
FACTS = image()


def _cluster(size: int) -> None:
    root = {"LocalStorage": {"RootVolume": {"Size": size}}}
    cluster(Image={"Os": "alinux2023", "CustomAmi": IMAGE}, HeadNode=head(**root))


def passing() -> None:
    _cluster(100)


def failing() -> None:
    _cluster(40)
