#!/usr/bin/env bash
# Tries segments in S3 against a server that speaks it: moto, from PyPI, in a folder that goes with it. Where another is
# at AWS_ENDPOINT_URL, that one.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -z "${AWS_ENDPOINT_URL:-}" ]; then
  dir=$(mktemp -d)
  if ! python3 -m venv "$dir/venv" 2>/dev/null || ! "$dir/venv/bin/pip" install --quiet 'moto[s3,server]'; then
    echo 'no Python with pip here: segments in S3 are not tried'
    rm -rf "$dir"
    exit 0
  fi
  # Port 0 takes a free one, and the server says which.
  "$dir/venv/bin/moto_server" -H 127.0.0.1 -p 0 >"$dir/log" 2>&1 &
  server=$!
  trap 'kill $server; rm -rf "$dir"' EXIT
  for _ in $(seq 100); do
    port=$(sed -n 's/.*http:\/\/127\.0\.0\.1:\([0-9]*\).*/\1/p' "$dir/log" | head -1)
    [ -n "$port" ] && break
    sleep 0.2
  done
  export AWS_ENDPOINT_URL="http://127.0.0.1:$port" AWS_REGION=us-east-1 AWS_ACCESS_KEY_ID=a AWS_SECRET_ACCESS_KEY=b
fi
FORAGER_S3=1 npx vitest run src/repository/segments "$@"
