#!/usr/bin/env bash
# What a node does when HyperPod has made it: the entry point, OnCreate of the group's LifeCycleConfig.
#
# HyperPod copies the group's folder of the bucket to the node and runs this as root, once for each node it makes, and
# again after UpdateClusterSoftware has given the node a new root volume. So each step can run any number of times: what
# is done stays done. /var/log/provision/provisioning.log is the file of AWS's own base script, whose lines HyperPod
# brings to CloudWatch (stream LifecycleConfig/<group>/<instance>).
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")"
# shellcheck source-path=SCRIPTDIR source=log.sh
. ./log.sh

steps=(huge_pages.sh container_data.sh)

log=$ROOT/var/log/provision/provisioning.log
mkdir -p "$(dirname "$log")"

# give_up WORDS: HyperPod takes the node as failed. AWS's base script waits as long before it does: else the node can be
# gone before its log is in CloudWatch.
give_up() {
  say "error: $*" | tee -a "$log"
  sync
  sleep 60
  exit 1
}

for script in settings.env service.sh "${steps[@]}"; do
  [[ -f $script ]] || give_up "$script is not beside on_create.sh; upload the group's whole folder again"
done

set -a # the steps read the settings
# shellcheck source=/dev/null
. ./settings.env || give_up "settings.env cannot be read; upload the group's whole folder again"
set +a

say "start: on_create.sh of instance group ${INSTANCE_GROUP:-}" | tee -a "$log"
for step in "${steps[@]}"; do
  bash "./$step" 2>&1 | tee -a "$log" || give_up "$step failed; the lines above say why"
done
say "stop: on_create.sh, all steps done" | tee -a "$log"
