"""What pods may do to their nodes."""


# pods-not-privileged, pods-off-host-files, pods-off-host-namespaces

PRIVILEGED, FILES, SPACES = "pods-not-privileged", "pods-off-host-files", "pods-off-host-namespaces"
