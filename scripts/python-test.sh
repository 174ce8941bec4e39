#!/usr/bin/env bash
# Reads exports back with pandas and PyArrow, which are installed into a folder that goes with the run. Where Python or its
# packages cannot be had, it says so and checks nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if ! python3 -m venv "$folder" 2>/dev/null || ! "$folder/bin/pip" install --quiet pandas pyarrow; then
  echo 'not checked: Python, or its packages pandas and pyarrow, cannot be had here' >&2
  exit 0
fi
FORAGER_PYTHON="$folder/bin/python" npx vitest run test/export-python "$@"
