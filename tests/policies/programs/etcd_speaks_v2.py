"""An etcd for TorchX without the API it speaks."""

from tests.policies.programs.kubernetes import releases

AT = {"etcd"}
CHART = "oci://registry-1.docker.io/bitnamicharts/etcd"
V2 = {"extraEnvVars": [{"name": "ETCD_ENABLE_V2", "value": "true"}]}


def passing() -> None:
    releases((CHART, "12.0.20", {**V2, "image": {"tag": "3.5.20"}}))


def failing() -> None:
    releases((CHART, "12.0.20", V2))
