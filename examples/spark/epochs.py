"""Runs a crawl in buckets on Apache Spark: `forager epochs` says which steps are next, and Spark makes them.

    spark-submit --master 'local[*]' examples/spark/epochs.py -- --dir /shared/crawl --budget 1000000

What stands behind `--` is handed to `forager epochs`. All machines see the folder of `--dir` under the same path, and
have Node and Forager. Each step is a process of its own: `forager step` reads the number of a bucket and makes files, under
a name that nobody else uses until they are whole. So a step may fail, be made twice at the same time (speculation) or be made again
after this driver was killed: the result is the same, to the byte.
"""

import argparse
import json
import shlex
import subprocess
import sys

from pyspark import SparkConf, SparkContext


def folder_of(arguments):
    """The value of --dir: where the crawl is kept."""
    for place, argument in enumerate(arguments):
        if argument == "--dir":
            return arguments[place + 1]
        if argument.startswith("--dir="):
            return argument[len("--dir=") :]
    sys.exit("epochs.py: name the crawl's folder with --dir, behind --")


def next_steps(forager, arguments):
    """Fetches what is planned, if that is next; gives the steps that can be made then, or the end."""
    asked = subprocess.run(
        [*forager, "epochs", "--next", "--json", *arguments], stdout=subprocess.PIPE, check=True
    )
    return json.loads(asked.stdout)


def make_steps(context, forager, folder, steps):
    """One task a bucket, so that Spark can move, repeat and race each by itself."""
    command = [*forager, "step", "--dir", folder]
    command += ["--epoch", str(steps["epoch"]), "--phase", steps["phase"]]
    buckets = steps["buckets"]
    made = (
        context.parallelize([str(bucket) for bucket in buckets], len(buckets))
        .pipe(shlex.join(command), checkCode=True)
        .collect()
    )
    if sorted(map(int, made)) != sorted(buckets):
        sys.exit(f"epochs.py: of buckets {buckets} only {made} were made")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--forager", default="forager", help="how Forager is started on every machine (default: forager)"
    )
    parser.add_argument("arguments", nargs="*", help="behind --: what forager epochs is told")
    options = parser.parse_args()
    forager = shlex.split(options.forager)
    folder = folder_of(options.arguments)
    context = SparkContext(conf=SparkConf().setAppName(f"forager epochs {folder}"))
    try:
        while True:
            steps = next_steps(forager, options.arguments)
            if steps["kind"] == "end":
                print(f"{steps['why']} in epoch {steps['epoch']}")
                return
            print(f"epoch {steps['epoch']}: {steps['phase']}, {len(steps['buckets'])} buckets", flush=True)
            make_steps(context, forager, folder, steps)
    finally:
        context.stop()


if __name__ == "__main__":
    main()
