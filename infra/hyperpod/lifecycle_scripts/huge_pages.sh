#!/usr/bin/env bash
# Sets aside HUGE_PAGES pages of 2 MiB, now and after each boot, and restarts a running kubelet: it counts them only
# when it starts. libfabric's EFA provider takes them. Unverified on a real HyperPod node.
set -euo pipefail

# shellcheck source-path=SCRIPTDIR source=log.sh
. ./log.sh
# shellcheck source-path=SCRIPTDIR source=service.sh
. ./service.sh

want=${HUGE_PAGES:-0}
file=$ROOT/etc/sysctl.d/90-muster-huge-pages.conf
line="vm.nr_hugepages = $want"
now=$ROOT/proc/sys/vm/nr_hugepages

if [[ ! $want =~ ^(0|[1-9][0-9]*)$ ]]; then
  fail "HUGE_PAGES=$want in settings.env is no number of pages"
fi
if ((want == 0)); then
  say "huge pages: none asked for"
  exit 0
fi
# Kernels with pages of 64 KiB count huge ones of 512 MiB: 5128 of those are 2.5 TiB.
if ! grep -Eq '^Hugepagesize: +2048 kB$' "$ROOT/proc/meminfo"; then
  fail "this kernel's huge pages are not of 2 MiB: $(grep '^Hugepagesize' "$ROOT/proc/meminfo" || echo 'it has none')"
fi

have=$(<"$now")
if ((have >= want)) && grep -qsx "$line" "$file"; then
  say "huge pages: $have, $want asked for; nothing to do"
  exit 0
fi

for attempt in 1 2 3; do
  ((have >= want)) && break
  say "huge pages: $have, setting $want (attempt $attempt)"
  sysctl -q -w vm.nr_hugepages="$want" || fail "sysctl does not take vm.nr_hugepages=$want"
  have=$(<"$now")
  ((have >= want)) && break
  # What the kernel could not find in one piece it may find after cleaning up.
  echo 3 >"$ROOT/proc/sys/vm/drop_caches"
  echo 1 >"$ROOT/proc/sys/vm/compact_memory"
  sleep 1
done
if ((have < want)); then
  fail "huge pages: the kernel gave $have of $want; lower the group's huge-pages, or replace the node"
fi
restart_if_running kubelet "for it to count $have huge pages"

# Last, and whole or not at all: a run that is cut short before this line does all of it again.
mkdir -p "$(dirname "$file")"
printf '# Of Muster: groups.%s.huge-pages.\n%s\n' "${INSTANCE_GROUP:-}" "$line" >"$file.new"
mv "$file.new" "$file"
say "huge pages: $have of 2 MiB, after each boot too ($file)"
