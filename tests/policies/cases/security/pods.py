"""What pods may do to their nodes."""

from muster.fleet.resources import Fleet
from muster.fleet.unknown import UNKNOWN
from tests.factories import a_fleet
from tests.policies.case import case
from tests.policies.security import POD_AT, ROOT, mount, pods

# pods-not-privileged, pods-off-host-files, pods-off-host-namespaces

PRIVILEGED, FILES, SPACES = "pods-not-privileged", "pods-off-host-files", "pods-off-host-namespaces"


@case(f"{PRIVILEGED} @ {POD_AT}")
def a_privileged_container() -> Fleet:
    return a_fleet(pods(container=ROOT))


@case(f"{PRIVILEGED} @ {POD_AT}")
def a_privileged_init_container() -> Fleet:
    return a_fleet(pods(initContainers=[{"name": "tune", **ROOT}]))


@case(f"{PRIVILEGED} @ {POD_AT}")
def a_container_with_every_capability() -> Fleet:
    return a_fleet(pods(container={"securityContext": {"capabilities": {"add": ["IPC_LOCK", "SYS_ADMIN"]}}}))


@case()
def a_container_that_locks_memory() -> Fleet:
    return a_fleet(pods(container={"securityContext": {"privileged": False, "capabilities": {"add": ["IPC_LOCK"]}}}))


@case()
def a_device_plugin() -> Fleet:
    return a_fleet(pods("DaemonSet", "ours", container=ROOT, volumes=mount("/var/lib/kubelet/device-plugins")))


@case(f"{PRIVILEGED} @ {POD_AT}", f"{FILES} @ {POD_AT}", f"{SPACES} @ {POD_AT}")
def a_job_that_mounts_the_folder_of_device_plugins() -> Fleet:
    """And so would be its node, were it taken for one."""
    volumes = mount("/var/lib/kubelet/device-plugins")
    return a_fleet(pods("Job", container=ROOT, volumes=volumes, hostPID=True))


@case(f"{FILES} @ {POD_AT}")
def a_device_plugin_that_mounts_its_nodes_root() -> Fleet:
    volumes = [*mount("/var/lib/kubelet/device-plugins"), {"name": "root", "hostPath": {"path": "/"}}]
    return a_fleet(pods("DaemonSet", "ours", volumes=volumes))


@case(f"{PRIVILEGED} @ {POD_AT}")
def a_daemon_that_bears_a_makers_name_alone() -> Fleet:
    return a_fleet(pods("DaemonSet", "nvidia-miner", container=ROOT))


@case()
def a_daemon_that_watches_its_node() -> Fleet:
    return a_fleet(pods("DaemonSet", "datadog-agent", volumes=mount("/proc"), hostPID=True))


@case()
def a_daemon_that_is_known() -> Fleet:
    return a_fleet(pods("DaemonSet", "dcgm-exporter", container=ROOT, volumes=mount("/"), hostNetwork=True))


@case(f"{PRIVILEGED} @ {POD_AT}")
def a_deployment_with_the_name_of_a_daemon() -> Fleet:
    return a_fleet(pods(name="dcgm-exporter", container=ROOT))


@case(unjudged=(f"{PRIVILEGED} @ {POD_AT}",))
def a_container_not_yet_known_to_be_privileged() -> Fleet:
    return a_fleet(pods(container={"securityContext": {"privileged": UNKNOWN}}))


@case(f"{FILES} @ {POD_AT}")
def a_pod_that_mounts_its_nodes_root() -> Fleet:
    return a_fleet(pods(volumes=mount("/")))


@case(f"{FILES} @ {POD_AT}")
def a_pod_that_mounts_the_container_runtime() -> Fleet:
    return a_fleet(pods(volumes=mount("/run/containerd/containerd.sock")))


@case(f"{FILES} @ {POD_AT}")
def a_pod_that_mounts_its_nodes_etc_by_a_detour() -> Fleet:
    return a_fleet(pods(volumes=mount("//mnt/../etc")))


@case()
def a_pod_that_mounts_its_nodes_time_zone() -> Fleet:
    return a_fleet(pods(volumes=mount("/etc/localtime")))


@case(unjudged=(f"{FILES} @ {POD_AT}",))
def a_pod_that_mounts_what_is_not_yet_known() -> Fleet:
    return a_fleet(pods(volumes=mount(UNKNOWN)))


@case(unjudged=(f"{FILES} @ {POD_AT}",))
def a_pod_with_a_volume_not_yet_known() -> Fleet:
    return a_fleet(pods(volumes=[*mount("/dev/shm"), UNKNOWN]))


@case()
def a_pod_that_mounts_a_local_disk() -> Fleet:
    return a_fleet(pods(volumes=[*mount("/opt/dlami/nvme"), *mount("/dev/shm")]))


@case(f"{SPACES} @ {POD_AT}")
def a_pod_on_its_nodes_network() -> Fleet:
    return a_fleet(pods(hostNetwork=True, hostPID=True, hostIPC=False))


@case(unjudged=(f"{SPACES} @ {POD_AT}",))
def a_pod_not_yet_known_to_be_on_its_nodes_network() -> Fleet:
    return a_fleet(pods(hostNetwork=UNKNOWN))
