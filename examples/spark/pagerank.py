"""PageRank of all pages of a crawl in buckets, exactly, by SQL on Apache Spark.

    spark-submit examples/spark/pagerank.py --dir /shared/crawl --rounds 50 --out /shared/ranks.parquet

For audits, and to see how far the ranks are that buckets work out by telling each other. `pagerank.sql` has the statements;
DuckDB gives the same ranks by them on one machine.
"""

import argparse
import json
import os

from pyspark.sql import SparkSession
from pyspark.sql.functions import input_file_name, regexp_extract

UNVOTED = 120  # bits of `rel` of links that are no votes: of sitemaps and feeds, other forms of a page


def statements(path):
    """By name: the statements of the SQL file."""
    with open(path, encoding="utf-8") as file:
        parts = file.read().split("\n-- ")[1:]
    named = (part.split("\n", 1) for part in parts if not part.startswith(("PageRank", "`", "make")))
    return {name.strip(): text.strip() for name, text in named}


def latest_epoch(folder):
    epochs = sorted(name for name in os.listdir(folder) if name.startswith("epoch="))
    return next(epoch for epoch in reversed(epochs) if os.path.isdir(f"{folder}/{epoch}/learn"))


def read_graph(spark, folder):
    """Makes the views `node` and `edge` of what all buckets know."""
    learnt = f"{folder}/{latest_epoch(folder)}/learn"
    tables = {"url": [], "link": [], "fetch_log": []}
    for bucket in sorted(name for name in os.listdir(learnt) if name.startswith("bucket=")):
        with open(f"{learnt}/{bucket}/sums.json", encoding="utf-8") as file:
            parts = json.load(file)["parts"]
        for part in parts:
            for table, files in tables.items():
                path = f"{folder}/{part['path']}/{table}.parquet"
                if os.path.exists(path):
                    files.append(path)
    for table, files in tables.items():
        bucket = regexp_extract(input_file_name(), "bucket=([0-9]+)", 1)
        spark.read.parquet(*files).withColumn("bucket", bucket).createOrReplaceTempView(table)
    # Every bucket knows URLs of others as ends of links: one row each, whoever knows them.
    spark.sql("SELECT DISTINCT hash FROM url").cache().createOrReplaceTempView("node")
    spark.sql(
        f"""
        SELECT DISTINCT source.hash AS source, target.hash AS target
        FROM link
        JOIN (SELECT bucket, max(id) AS fetch_id FROM fetch_log WHERE changed GROUP BY bucket, url_id) now
          ON now.bucket = link.bucket AND now.fetch_id = link.fetch_id
        JOIN url source ON source.bucket = link.bucket AND source.id = link.src
        JOIN url target ON target.bucket = link.bucket AND target.id = link.dst
        WHERE source.hash <> target.hash AND (link.rel & {UNVOTED}) = 0
        """
    ).cache().createOrReplaceTempView("edge")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dir", required=True, help="the folder of the crawl")
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--out", required=True, help="a new folder for the ranks: Parquet, by hash of the URL")
    options = parser.parse_args()
    spark = SparkSession.builder.appName(f"PageRank of {options.dir}").getOrCreate()
    sql = statements(os.path.join(os.path.dirname(os.path.abspath(__file__)), "pagerank.sql"))
    read_graph(spark, options.dir)
    spark.sql(sql["degree"]).cache().createOrReplaceTempView("degree")
    ranked = spark.sql(sql["begin"])
    for _ in range(options.rounds):
        # A round's plan must not have those of all rounds before in it.
        ranked.localCheckpoint().createOrReplaceTempView("ranked")
        spark.sql(sql["dangling"]).localCheckpoint().createOrReplaceTempView("dangling")
        ranked = spark.sql(sql["round"])
    ranked.coalesce(1).write.parquet(options.out)
    spark.stop()


if __name__ == "__main__":
    main()
