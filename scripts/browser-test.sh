#!/usr/bin/env bash
# Tries the search page, the control room and rendering in a real browser: Chromium, found on the machine or, for root on Debian,
# installed. FORAGER_CHROMIUM names another one.
set -euo pipefail
cd "$(dirname "$0")/.."

find_chromium() {
  if [ -n "${FORAGER_CHROMIUM:-}" ]; then
    echo "$FORAGER_CHROMIUM"
    return
  fi
  for name in chromium chromium-browser google-chrome-stable google-chrome; do
    if command -v "$name"; then return; fi
  done
}

chromium=$(find_chromium)
if [ -z "$chromium" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo 'no Chromium here: installing it'
  export DEBIAN_FRONTEND=noninteractive
  { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; } >/dev/null || true
  chromium=$(find_chromium)
fi
if [ -z "$chromium" ] || [ ! -x "$chromium" ]; then
  echo "the browser test needs Chromium (${chromium:-none found}): apt-get install chromium, or name one in FORAGER_CHROMIUM" >&2
  exit 1
fi
FORAGER_CHROMIUM="$chromium" exec npx vitest run --config test/browser/vitest.config.ts "$@"
