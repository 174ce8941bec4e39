#!/usr/bin/env bash
# Tries leases, and a short fleet with kills, against a real PostgreSQL: found on the machine or, for root on Debian, installed. Each run has a
# server of its own, at a socket in a folder that goes with it.
set -euo pipefail
cd "$(dirname "$0")/.."

has_postgres() { command -v initdb >/dev/null || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null; }

if ! has_postgres && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo 'no PostgreSQL here: installing it'
  export DEBIAN_FRONTEND=noninteractive
  { apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql; } >/dev/null || true
fi
if ! has_postgres; then
  echo 'these tests need PostgreSQL: apt-get install postgresql' >&2
  exit 1
fi
FORAGER_POSTGRES=1 exec npx vitest run src/repository/leases test/fleet.test.ts test/fleet-limits.test.ts "$@"
