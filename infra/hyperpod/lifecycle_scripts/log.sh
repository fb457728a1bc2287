# shellcheck shell=bash
# Words for the log; every script reads this first.

# Before every path: nothing on a node. A test runs the scripts in a folder of its own.
# shellcheck disable=SC2034 # it is for those who read this
ROOT=${LIFECYCLE_ROOT:-}

# say WORDS: one line, with the time and the script.
say() {
  printf '%s %s: %s\n' "$(date -u +%FT%TZ)" "$(basename "$0")" "$*"
}

# fail WORDS: the last line of a step that could not do its work.
fail() {
  say "error: $*"
  exit 1
}
