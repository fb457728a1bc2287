# shellcheck shell=bash
# The node's own services, containerd and the kubelet. Whether HyperPod starts them before or after OnCreate is written
# nowhere, so steps ask. Needs log.sh.

# state SERVICE: what systemd says of it: active, activating, inactive, ...
state() {
  systemctl is-active "$1" || true
}

# running SERVICE: whether it runs now, or will in a moment: one that systemd starts over and over is "activating".
running() {
  case $(state "$1") in
    active | activating | reloading | deactivating) return 0 ;;
    *) return 1 ;;
  esac
}

# start_as SERVICE STATE: into the state that it had. What was not up yet may not come up before HyperPod has done more:
# that is asked for, not waited for.
start_as() {
  if [[ $2 == active || $2 == reloading ]]; then systemctl start "$1"; else systemctl start --no-block "$1"; fi
}

# restart_if_running SERVICE WHY
restart_if_running() {
  case $(state "$1") in
    active | reloading)
      say "$1 runs: restarting it, $2"
      systemctl restart "$1" || fail "$1 did not start again: see journalctl -u $1"
      ;;
    activating | deactivating)
      say "$1 is about to run: restarting it, $2"
      systemctl restart --no-block "$1" || fail "$1 cannot be restarted: see journalctl -u $1"
      ;;
    *) say "$1 does not run yet: nothing to restart" ;;
  esac
}
