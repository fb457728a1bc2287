#!/usr/bin/env bash
# Has containerd and the kubelet keep their data on the group's secondary volume, DATA_VOLUME (HyperPod mounts it at
# /opt/sagemaker); without one they stay on the root volume, which HyperPod sizes itself and a training image can fill.
#
# It loses nothing, and leaves no node without containers. Where anything is in doubt (containers run, something is
# mounted in the folders, others have moved the data, the copy fails) it moves nothing, says so and ends well: a node
# with a small root volume is better than none. Only a service that ran, and does not start again, is an error.
#
# AWS's base script moves the data by a containerd configuration of its own and a link. That file stands in other places
# on other images (and moved at AL2 -> AL2023), and replacing it drops what the image set there. So this binds the
# folders, as AWS's EKS image does for NVMe disks (amazon-eks-ami, setup-local-disks): one way for both, and no
# configuration is touched. That script binds SOCI's images and /var/log/pods, too, which stay on the root volume here.
# Unverified on a real HyperPod node.
set -euo pipefail

# shellcheck source-path=SCRIPTDIR source=log.sh
. ./log.sh
# shellcheck source-path=SCRIPTDIR source=service.sh
. ./service.sh

volume=${DATA_VOLUME:-}
services=(kubelet containerd) # in the order in which they stop
units=$ROOT/etc/systemd/system
mounts=$ROOT/proc/self/mountinfo

# at SERVICE: where its data lie on the volume. A folder of our own: what lies there, and is not in use, is ours to
# remove.
at() {
  echo "$volume/muster/$1"
}

# mounted_at PATH: what is mounted just there, as findmnt has it: the device, and the folder on it.
mounted_at() {
  awk -v path="$1" '
    $5 == path { for (i = 7; $i != "-"; i++); found = $(i + 2) "[" $4 "]" }
    END { if (!found) exit 1; print found }' "$mounts"
}

# mounted_below PATH: the first place below it where something is mounted.
mounted_below() {
  awk -v path="$1/" '
    !found && index($5, path) == 1 { found = $5 }
    END { if (!found) exit 1; print found }' "$mounts"
}

# bound SERVICE: whether its folder is the one on the volume already.
bound() {
  [[ $ROOT/var/lib/$1 -ef $ROOT$(at "$1") ]]
}

# told SERVICE: all that it is told: its unit with what is added to it, its arguments, its configuration.
told() {
  local pid
  systemctl cat "$1" 2>/dev/null || true
  pid=$(systemctl show --property=MainPID --value "$1" 2>/dev/null) || pid=
  if [[ -r $ROOT/proc/${pid:-0}/cmdline ]]; then
    tr '\0' ' ' <"$ROOT/proc/$pid/cmdline"
    echo
  fi
  grep -rhs '' "$ROOT/etc/"{"$1",eks,kubernetes,"sysconfig/$1","default/$1"} || true
}

# elsewhere SERVICE: where others have put its data, in words: AWS's base script, HyperPod's own bootstrap or an image.
elsewhere() {
  local folder=/var/lib/$1 texts words
  if [[ -L $ROOT$folder ]]; then
    echo "$folder is a link to $(readlink "$ROOT$folder")"
    return
  elif mounted_at "$folder" >/dev/null; then
    echo "$folder is on $(mounted_at "$folder")"
    return
  fi
  texts=$(told "$1") # whole: a pipe to a grep that stops at its first match would fail
  if words=$(grep -m1 -F -- "$volume" <<<"$texts"); then
    echo "it has been told of $volume: $words"
  elif words=$(grep -oE -- '(--root(-dir)?[= ]|^ *root *= *)"?/[^" ]*' <<<"$texts") &&
    words=$(grep -m1 -v '[ ="]/var/lib/' <<<"$words"); then
    echo "it has been told $words"
  else
    return 1
  fi
}

# in_use SERVICE: why its data cannot be moved now. Stopping the kubelet and containerd ends no container: a copy of
# what those write is torn, and what is mounted for them would be hidden.
in_use() {
  local tasks=$ROOT/run/containerd/io.containerd.runtime.v2.task/k8s.io place
  if [[ -n $(ls -A "$tasks" 2>/dev/null) ]]; then
    echo "containers run on this node"
  elif place=$(mounted_below "/var/lib/$1") || place=$(mounted_below "$(at "$1")"); then
    echo "something is mounted at $place"
  elif mounted_at "$(at "$1")" >/dev/null; then
    echo "something is mounted at $(at "$1")"
  else
    return 1
  fi
}

# stays SERVICE WHY
stays() {
  say "warning: container data: /var/lib/$1 stays on the root volume: $2"
}

# remove FOLDER...: of ours, on the volume; never what is mounted there.
remove() {
  rm -rf --one-file-system -- "$@"
}

# move_data SERVICE: its data as they are now, to the volume. What is there is from the node's life with another root
# volume and of no use (and of another image, perhaps): images can be pulled again, and the pods of that life are gone.
# The image's own pause container lies in containerd's data, so they must come along.
move_data() {
  local from=$ROOT/var/lib/$1 to why each
  to=$ROOT$(at "$1")
  if ! { mkdir -p "$from" "$(dirname "$to")" && remove "$to" "$to.partial" && cp -ax "$from" "$to.partial"; }; then
    remove "$to.partial" || true
    stays "$1" "it could not be copied to $(at "$1"); is the volume full?"
    return
  fi
  for each in "${services[@]}"; do
    if running "$each"; then
      remove "$to.partial" || true
      stays "$1" "$each has been started while it was copied"
      return
    fi
  done
  if why=$(in_use "$1"); then
    remove "$to.partial" || true
    stays "$1" "$why"
    return
  fi
  mv "$to.partial" "$to"
  bind_folder "$1"
}

# bind_folder SERVICE: after each boot too. Where the volume is not mounted by then, the folder on the root volume
# serves: it still has the pause container.
bind_folder() {
  local unit=var-lib-$1.mount enabled=1
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
  systemctl daemon-reload && systemctl enable --quiet --now "$unit" || enabled=0
  # To systemd a condition that does not hold is no error: whether the folder is bound is looked at.
  if ! bound "$1"; then
    # Not after the next boot either: by then the copy is old.
    systemctl disable --quiet --now "$unit" || true
    rm -f "$units/$unit"
    systemctl daemon-reload || true
    stays "$1" "$unit did not bind it to $(at "$1"); see journalctl -u $unit"
  elif ((enabled)); then
    say "container data: /var/lib/$1 is on $volume now"
  else
    say "warning: container data: /var/lib/$1 is on $volume now, but perhaps not after a boot: $unit is not enabled"
  fi
}

if [[ -z $volume ]]; then
  say "container data: the group has no secondary volume; they stay on the root volume"
  exit 0
fi
# HyperPod mounts it, sometimes after this has started.
for attempt in {1..12}; do
  mounted_at "$volume" >/dev/null && break
  if ((attempt == 12)); then
    say "warning: container data: they stay on the root volume: $volume is still not mounted after a minute, although" \
      "the group has a secondary volume (EbsVolumeConfig)"
    exit 0
  fi
  say "waiting for $volume to be mounted"
  sleep 5
done

todo=()
for service in "${services[@]}"; do
  if bound "$service"; then
    say "container data: /var/lib/$service is on $volume; nothing to do"
  elif where=$(elsewhere "$service"); then
    say "container data: others have placed those of $service; nothing to do ($where)"
  elif [[ -e $units/var-lib-$service.mount ]]; then
    # What the unit would bind may be newer than what is here.
    stays "$service" "var-lib-$service.mount is there, and does not run; see journalctl -u var-lib-$service.mount"
  elif why=$(in_use "$service"); then
    stays "$service" "$why; drain the node and stop what is left (crictl stopp), then run on_create.sh again"
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
    if ! start_as "$service" "${was[$service]}"; then
      say "error: $service did not start again: see journalctl -u $service"
      failed=1
    fi
  done
  return "$failed"
}
declare -A was=()
trap 'start_again || exit 1' EXIT
for service in "${services[@]}"; do
  if running "$service"; then
    say "stopping $service, to move its data"
    was[$service]=$(state "$service")
    stopped=("$service" ${stopped[@]+"${stopped[@]}"}) # containerd starts first
    if ! systemctl stop "$service"; then
      for each in "${todo[@]}"; do stays "$each" "$service did not stop"; done
      exit 0
    fi
  fi
done
for service in "${todo[@]}"; do
  move_data "$service"
done
