-- PageRank of a whole crawl in buckets, in SQL that DuckDB and Spark both read. It needs two tables, `node` (hash) and
-- `edge` (source, target), each row once and no page linking to itself. The first statement begins with even ranks; the others
-- make one round: run them as often as you like, each time over what they made before. The average URL has rank 1.

-- begin
SELECT hash, CAST(1 AS DOUBLE) AS rank FROM node

-- degree
SELECT source, CAST(count(*) AS DOUBLE) AS links FROM edge GROUP BY source

-- dangling
SELECT coalesce(sum(ranked.rank), CAST(0 AS DOUBLE)) AS mass, CAST((SELECT count(*) FROM node) AS DOUBLE) AS nodes
FROM ranked LEFT JOIN degree ON degree.source = ranked.hash
WHERE degree.source IS NULL

-- round
SELECT node.hash, 0.15 + 0.85 * (dangling.mass / dangling.nodes + coalesce(arrived.mass, CAST(0 AS DOUBLE))) AS rank
FROM node
LEFT JOIN (
  SELECT edge.target AS hash, sum(ranked.rank / degree.links) AS mass
  FROM edge JOIN ranked ON ranked.hash = edge.source JOIN degree ON degree.source = edge.source
  GROUP BY edge.target
) arrived ON arrived.hash = node.hash
CROSS JOIN dangling
