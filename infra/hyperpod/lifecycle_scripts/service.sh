# shellcheck shell=bash
# The node's own services, containerd and the kubelet. Whether HyperPod starts them before or after OnCreate is written
# nowhere, so steps ask. Needs log.sh.

# running SERVICE: whether it runs now.
running() {
  systemctl is-active --quiet "$1"
}

# restart_if_running SERVICE WHY
restart_if_running() {
  if running "$1"; then
    say "$1 runs: restarting it, $2"
    systemctl restart "$1" || fail "$1 did not start again: see journalctl -u $1"
  else
    say "$1 does not run yet: nothing to restart"
  fi
}
