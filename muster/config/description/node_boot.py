"""What a node does when it boots: your scripts, the settings of the kubelet and of containerd, and its proxy."""

from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, StrictBool, ValidationInfo

from muster.config.description.base import EKS, PCS, Change, Form, StrictModel, key, optional
from muster.kubernetes_quantity import Quantity
from muster.message_text import show_value
from muster.user_files import CannotRead, Limit, is_inside, read_text

MOST_USER_DATA = 16 * 1024
"""Bytes of user data that EC2 accepts, before they are encoded in base64 (EC2 user guide, "instancedata-add-user-data":
16 KB in raw form)."""

SCRIPT_START = "#!"
"""The beginning of a script. A text that begins otherwise is the path of a file."""


_LIMIT = Limit(MOST_USER_DATA, "EC2 accepts no more; write a short script that downloads the long one from S3")
PROJECT = "project"
"""The key of the validation context with the root of the project: paths begin there, and do not leave it."""


def _script(written: str, info: ValidationInfo) -> str:
    is_path = not written.startswith(SCRIPT_START) and "\n" not in written and written.strip()
    project = (info.context or {}).get(PROJECT) if is_path else None
    text = _file(written, project) if project else written
    if not text.startswith(SCRIPT_START):
        raise ValueError(
            f"{show_value(written.partition(chr(10))[0])} is not a script, which begins with {SCRIPT_START}; write the "
            "script itself, or the path of a file of the project that has it"
        )
    return text


def _file(path: str, project: Path) -> str:
    if not is_inside(project / path, project):
        raise ValueError(f"'{path}': no file of the project; copy it there, and write its path from there")
    try:
        return read_text(project / path, _LIMIT, project)
    except CannotRead as fault:
        raise ValueError(f"'{path}': {fault}") from None


Script = Annotated[str, AfterValidator(_script)]


class Scripts(StrictModel):
    """Your own scripts on each new node: the text itself, from `#!` on, or the path of a file of the project, as in
    `scripts/disks.sh`. Each runs once, as root. If it fails, the node joins nevertheless."""

    before: Script | None = optional(
        "Script that runs before the node joins its cluster. On Bottlerocket it runs in a bootstrap container (set "
        "`image`). On PCS it runs before slurmd starts. Default: none.",
        {EKS: Change.DRAINS, PCS: Change.NEXT_LAUNCH},
    )
    after: Script | None = optional(
        "Script that runs after nodeadm has started the kubelet. Bottlerocket has nothing of this kind. Default: none.",
        {EKS: Change.DRAINS},
        instead="before",
    )
    image: (
        Annotated[str, Form(r"\S+:\S+", "an image with its tag", "111122223333.dkr.ecr.us-west-2.amazonaws.com/boot:1")]
        | None
    ) = optional(
        "On Bottlerocket, the image of the bootstrap container that runs the script: AWS's "
        "public.ecr.aws/bottlerocket/bottlerocket-bootstrap with a tag, or your copy of it. Default: none.",
        {EKS: Change.DRAINS},
    )


RESERVATIONS = ("systemReserved", "kubeReserved", "evictionHard")
"""Fields of the kubelet's configuration that keep resources from pods, by resource or signal."""


MAX_PODS = "maxPods"
"""The field of the kubelet's configuration with the highest number of pods."""


def _kubelet(fields: dict[str, Any]) -> dict[str, Any]:
    pods = fields.get(MAX_PODS, 1)
    if type(pods) is not int or pods < 1:
        raise ValueError(f"maxPods is {show_value(pods)}, which is not a number of pods; write a number, as in 110")
    for field in RESERVATIONS:
        amounts = fields.get(field, {})
        if not isinstance(amounts, dict):
            got = f"{field} is {show_value(amounts)}, which is not a map"
            raise ValueError(f"{got}; write one, as in {{memory: 1Gi}}")  # noqa: TRY004 (pydantic reads ValueError)
        for name, each in amounts.items():
            if not str(each).endswith("%"):
                _amount(f"{field}.{name}", each)
    return fields


def _amount(field: str, written: Any) -> None:
    try:
        Quantity.parse(written)
    except ValueError as fault:
        raise ValueError(f"{field}: {fault}") from None


Kubelet = Annotated[
    dict[
        Annotated[
            str, Form(r"[a-z][A-Za-z0-9]*", "a field of the KubeletConfiguration", "maxPods, as Kubernetes writes it")
        ],
        Any,
    ],
    AfterValidator(_kubelet),
]


def _toml(text: str) -> str:
    import tomllib  # noqa: PLC0415  (only for this key)

    try:
        tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as fault:
        raise ValueError(f"this is not TOML: {fault}; correct it") from None
    return text


class Containerd(StrictModel):
    """Settings of containerd, which pulls the images of pods."""

    parallel_pull: StrictBool = key(
        "Whether layers of an image are pulled and unpacked in parallel (SOCI snapshotter), for large images. It uses "
        "more CPU, memory and bandwidth of the volume: AWS recommends a `volume` with 600 MiB/s or more. Small "
        "instance types ignore it. Default: false.",
        Change.DRAINS,
        default=False,
    )
    config: Annotated[str, AfterValidator(_toml)] | None = optional(
        "More of containerd's configuration, in TOML. Only on al2023. Default: none.", Change.DRAINS
    )


_ADDRESS = Form(r"https?://[A-Za-z0-9.:\[\]_-]+/?", "the address of a proxy", "http://proxy.example.com:3128")


class Proxy(StrictModel):
    """The HTTP proxy of the nodes: of the kubelet, containerd and nodeadm. Pods are not affected: an add-on that needs
    the proxy has it in its `values`."""

    https: Annotated[str, _ADDRESS] = key("Proxy for HTTPS, as in http://proxy.example.com:3128.", Change.DRAINS)
    http: Annotated[str, _ADDRESS] | None = optional(
        "Proxy for HTTP. Bottlerocket has one proxy for both, `https`. Default: the same as `https`.", Change.DRAINS
    )
    no_proxy: tuple[Annotated[str, Form(r"[^\s,\"]+", "a name or a network", ".example.com")], ...] = key(
        "Names and networks that nodes reach without the proxy, in addition to those that Muster derives: the node "
        "itself, the instance metadata, the endpoint of the cluster, the addresses of Services, S3 and ECR of the "
        "Region if the network has their endpoints, and the addresses of a VPC that Muster creates. Default: none.",
        Change.DRAINS,
        default=(),
    )
