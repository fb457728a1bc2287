#!/usr/bin/env bash
# Has containerd and the kubelet keep their data on the group's secondary volume, DATA_VOLUME (HyperPod mounts it at
# /opt/sagemaker); without one they stay on the root volume, which HyperPod sizes itself and a training image can fill.
#
# AWS's base script moves the data to the same place, by a containerd configuration of its own and a link. That file
# stands in other places on other images (and moved at AL2 -> AL2023), and replacing it drops what the image set there.
# So this binds the folders, as AWS's EKS image does for NVMe disks (amazon-eks-ami, setup-local-disks): one way for
# both, and no configuration is touched. Unverified on a real HyperPod node.
set -euo pipefail

# shellcheck source-path=SCRIPTDIR source=log.sh
. ./log.sh
# shellcheck source-path=SCRIPTDIR source=service.sh
. ./service.sh

volume=${DATA_VOLUME:-}
services=(kubelet containerd) # in the order in which they stop
units=$ROOT/etc/systemd/system

# at SERVICE: where its data lie on the volume. As with AWS's base script, so that its runbooks hold.
at() {
  case $1 in
    containerd) echo "$volume/containerd/data-root" ;;
    *) echo "$volume/$1" ;;
  esac
}

# bound SERVICE: whether its folder is on the volume already.
bound() {
  systemctl is-active --quiet "var-lib-$1.mount"
}

# elsewhere SERVICE: whether somebody else has moved its data to the volume, as AWS's base script and HyperPod's own
# bootstrap may: a link, or a configuration that names the volume. What is there is in use then, and not ours to remove.
elsewhere() {
  [[ -L $ROOT/var/lib/$1 ]] || grep -qrsF -- "$volume/$1" "$ROOT/etc/$1" "$ROOT/etc/eks/$1" "$units/$1.service.d"
}

# move_data SERVICE: its data as they are now. What is there from the node's life with another root volume is of no use (and
# of another image, perhaps): images can be pulled again, and the pods of that life are gone. The image's own pause
# container lies in containerd's data, so they must come along.
move_data() {
  local from=$ROOT/var/lib/$1 to
  to=$ROOT$(at "$1")
  mkdir -p "$from" "$(dirname "$to")"
  rm -rf "$to" "$to.partial"
  cp -ax "$from" "$to.partial" || fail "could not copy $from to $to: is the volume full?"
  mv "$to.partial" "$to"
}

# bind_folder SERVICE: after each boot too. Where the volume is not mounted by then, the folder on the root volume serves: it
# still has the pause container, and a node with a small disk is better than one without containers.
bind_folder() {
  local unit=var-lib-$1.mount
  mkdir -p "$units"
  cat >"$units/$unit" <<UNIT
[Unit]
Description=Data of $1 on $volume
ConditionPathIsMountPoint=$volume
Before=$1.service

[Mount]
What=$(at "$1")
Where=/var/lib/$1
Type=none
Options=bind

[Install]
WantedBy=multi-user.target
UNIT
  systemctl daemon-reload
  systemctl enable --quiet --now "$unit" || fail "$unit did not start: see journalctl -u $unit"
  mountpoint -q "$ROOT/var/lib/$1" || fail "/var/lib/$1 is not on $volume, although $unit started"
}

if [[ -z $volume ]]; then
  say "container data: the group has no secondary volume; they stay on the root volume"
  exit 0
fi
# HyperPod mounts it, sometimes after this has started.
for attempt in {1..12}; do
  mountpoint -q "$ROOT$volume" && break
  if ((attempt == 12)); then
    fail "$volume is still not mounted after a minute, although the group has a secondary volume (EbsVolumeConfig)"
  fi
  say "waiting for $volume to be mounted"
  sleep 5
done

todo=()
for service in "${services[@]}"; do
  if bound "$service"; then
    say "container data: /var/lib/$service is on $volume; nothing to do"
  elif elsewhere "$service"; then
    say "container data: $service has been told of $volume by others; nothing to do"
  else
    todo+=("$service")
  fi
done
((${#todo[@]})) || exit 0

# Both, whichever moves: a kubelet without containerd only fails. They start again whatever happens below.
stopped=()
start_again() {
  local service failed=0
  for service in ${stopped[@]+"${stopped[@]}"}; do
    say "starting $service again"
    if ! systemctl start "$service"; then
      say "error: $service did not start again: see journalctl -u $service"
      failed=1
    fi
  done
  return "$failed"
}
trap 'start_again || exit 1' EXIT
for service in "${services[@]}"; do
  if running "$service"; then
    say "stopping $service, to move its data"
    systemctl stop "$service" || fail "$service did not stop"
    stopped=("$service" ${stopped[@]+"${stopped[@]}"}) # containerd starts first
  fi
done
for service in "${todo[@]}"; do
  move_data "$service"
  bind_folder "$service"
  say "container data: /var/lib/$service is on $volume now"
done
