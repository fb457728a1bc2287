"""What pods may do to their nodes."""

from muster.fleet.resources import Fleet
from muster.unknown import UNKNOWN
from tests.factories import a_fleet
from tests.policies.case import case, cases
from tests.policies.security import ROOT, mount, pods

# pods-not-privileged, pods-off-host-files, pods-off-host-namespaces

PRIVILEGED, FILES, SPACES = "pods-not-privileged", "pods-off-host-files", "pods-off-host-namespaces"


cases(
    a_privileged_container=lambda: a_fleet(pods(container=ROOT)),
    a_privileged_init_container=lambda: a_fleet(pods(initContainers=[{"name": "tune", **ROOT}])),
    a_container_with_every_capability=lambda: a_fleet(
        pods(container={"securityContext": {"capabilities": {"add": ["IPC_LOCK", "SYS_ADMIN"]}}})
    ),
    a_container_that_locks_memory=lambda: a_fleet(
        pods(container={"securityContext": {"privileged": False, "capabilities": {"add": ["IPC_LOCK"]}}})
    ),
    a_device_plugin=lambda: a_fleet(
        pods("DaemonSet", "ours", container=ROOT, volumes=mount("/var/lib/kubelet/device-plugins"))
    ),
    # And so would be its node, were it taken for one.
    a_job_that_mounts_the_folder_of_device_plugins=lambda: a_fleet(
        pods("Job", container=ROOT, volumes=mount("/var/lib/kubelet/device-plugins"), hostPID=True)
    ),
)


@case
def a_device_plugin_that_mounts_its_nodes_root() -> Fleet:
    volumes = [*mount("/var/lib/kubelet/device-plugins"), {"name": "root", "hostPath": {"path": "/"}}]
    return a_fleet(pods("DaemonSet", "ours", volumes=volumes))


cases(
    a_daemon_that_bears_a_makers_name_alone=lambda: a_fleet(pods("DaemonSet", "nvidia-miner", container=ROOT)),
    a_daemon_that_watches_its_node=lambda: a_fleet(
        pods("DaemonSet", "datadog-agent", volumes=mount("/proc"), hostPID=True)
    ),
    a_daemon_that_is_known=lambda: a_fleet(
        pods("DaemonSet", "dcgm-exporter", container=ROOT, volumes=mount("/"), hostNetwork=True)
    ),
    a_deployment_with_the_name_of_a_daemon=lambda: a_fleet(pods(name="dcgm-exporter", container=ROOT)),
    a_container_not_yet_known_to_be_privileged=lambda: a_fleet(
        pods(container={"securityContext": {"privileged": UNKNOWN}})
    ),
    a_pod_that_mounts_its_nodes_root=lambda: a_fleet(pods(volumes=mount("/"))),
    a_pod_that_mounts_the_container_runtime=lambda: a_fleet(pods(volumes=mount("/run/containerd/containerd.sock"))),
    a_pod_that_mounts_its_nodes_etc_by_a_detour=lambda: a_fleet(pods(volumes=mount("//mnt/../etc"))),
    a_pod_that_mounts_its_nodes_time_zone=lambda: a_fleet(pods(volumes=mount("/etc/localtime"))),
    a_pod_that_mounts_what_is_not_yet_known=lambda: a_fleet(pods(volumes=mount(UNKNOWN))),
    a_pod_with_a_volume_not_yet_known=lambda: a_fleet(pods(volumes=[*mount("/dev/shm"), UNKNOWN])),
    a_pod_that_mounts_a_local_disk=lambda: a_fleet(pods(volumes=[*mount("/opt/dlami/nvme"), *mount("/dev/shm")])),
    a_pod_on_its_nodes_network=lambda: a_fleet(pods(hostNetwork=True, hostPID=True, hostIPC=False)),
    a_pod_not_yet_known_to_be_on_its_nodes_network=lambda: a_fleet(pods(hostNetwork=UNKNOWN)),
)
