#!/usr/bin/env bash
# Crawls in buckets on Apache Spark, with executors and driver killed. PySpark is installed into a folder that goes with the run,
# unless FORAGER_SPARK names a spark-submit. Where it or Java cannot be had, it says so and checks nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -z "${FORAGER_SPARK:-}" ]; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  if ! command -v java >/dev/null || ! python3 -m venv "$folder" 2>/dev/null || ! "$folder/bin/pip" install --quiet pyspark; then
    echo 'not checked: Java, Python, or its package pyspark cannot be had here' >&2
    exit 0
  fi
  FORAGER_SPARK="$folder/bin/spark-submit"
fi
PATH="$(dirname "$FORAGER_SPARK"):$PATH"
SPARK_HOME=$("$(dirname "$FORAGER_SPARK")/python" -c 'import os, pyspark; print(os.path.dirname(pyspark.__file__))')
export PATH SPARK_HOME FORAGER_SPARK
npx vitest run test/spark.test.ts "$@"
