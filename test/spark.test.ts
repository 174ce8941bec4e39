import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, test } from 'vitest'
import { REL_UNVOTED } from '#parse/page/page.ts'
import { bytesIn } from './bytes-in.ts'
import { startForager } from './forager-process.ts'
import { importQueries } from './imported-queries.ts'
import { modelWebFolder } from './model-web-folder.ts'

/** The program spark-submit, where `npm run test:spark` has found or installed it. */
const SUBMIT = process.env.FORAGER_SPARK
const EXAMPLES = join(import.meta.dirname, '..', 'examples', 'spark')
const FORAGER = join(import.meta.dirname, '..', 'bin', 'forager.js')
const { archive, inFolder } = modelWebFolder(3)
const FIVE_EPOCHS = [
  ...['--buckets', '3', '--budget', '100', '--batch', '25', '--queries', inFolder('searchers')],
]

function submit(
  script: string,
  args: readonly string[],
  more: readonly string[] = [],
): ChildProcess {
  const quiet = ['--conf', 'spark.ui.enabled=false', '--conf', 'spark.log.level=ERROR']
  return spawn(SUBMIT!, [...quiet, ...more, join(EXAMPLES, script), ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true, // a group of its own, with all that Spark starts
    env: {
      ...process.env,
      PYSPARK_PYTHON: join(dirname(SUBMIT!), 'python'),
      SPARK_LOCAL_IP: '127.0.0.1',
    },
  })
}

/** Kills one of the executors of a Spark, if there is one. */
function killExecutor(group: number): number {
  const processes = execFileSync('ps', ['-eo', 'pid,pgid,args'], { encoding: 'utf8' }).split('\n')
  const executors = processes.flatMap((line) => {
    const [pid, pgid] = line.trim().split(/\s+/, 2).map(Number)
    return pgid === group && line.includes('CoarseGrainedExecutorBackend') ? pid : []
  })
  if (executors.length > 0) process.kill(executors[0], 'SIGKILL')
  return Math.min(1, executors.length)
}

describe.skipIf(SUBMIT === undefined)('on Spark', () => {
  test('executors killed in each phase, speculation and a killed driver leave the same bytes as processes', async () => {
    await importQueries(archive, inFolder('searchers'))
    const dir = inFolder('on-spark')
    const told = ['--archive', archive, '--at', '0', '--dir', dir, '--no-config', ...FIVE_EPOCHS]
    const speculation = ['spark.speculation=true', 'spark.speculation.multiplier=1.01']
    const cluster = [
      '--master',
      'local-cluster[3,1,1024]',
      ...speculation.flatMap((c) => ['--conf', c]),
    ]
    const killedIn = new Set<string>()
    let drivers = 0
    const drive = async () => {
      const isFirst = ++drivers === 1
      const args = ['--forager', `${process.execPath} ${FORAGER}`, '--', ...told]
      const child = submit('epochs.py', args, cluster)
      let said = ''
      child.stdout!.on('data', (data) => {
        said += data
        const [, epoch, phase] = /epoch (\d+): (\w+)/.exec(String(data)) ?? []
        if (phase && !killedIn.has(phase) && killExecutor(child.pid!) > 0) killedIn.add(phase)
        if (isFirst && epoch === '3' && phase === 'bid') process.kill(-child.pid!, 'SIGKILL')
      })
      await once(child, 'close')
      return said
    }
    let said = ''
    for (let tries = 0; tries < 3 && !said.includes('budget spent'); tries++) said = await drive()
    expect(said).toContain('budget spent in epoch 6')
    expect(drivers).toBe(2)
    expect([...killedIn].sort()).toEqual(['bid', 'cut', 'learn', 'tell'])

    const other = inFolder('by-processes')
    const { ended } = startForager([
      ...['epochs', '--archive', archive, '--at', '0', '--dir', other, '--no-config'],
      ...[...FIVE_EPOCHS, '--processes', '2'],
    ])
    expect((await ended).code).toBe(0)
    const [ours, theirs] = [bytesIn(other), bytesIn(dir)]
    expect([...theirs.keys()]).toEqual([...ours.keys()])
    for (const [path, bytes] of ours) expect(theirs.get(path) === bytes, path).toBe(true)

    // The exact PageRank, by the same SQL.
    const out = inFolder('ranks')
    const ranking = submit(
      'pagerank.py',
      ['--dir', dir, '--rounds', '6', '--out', out],
      ['--master', 'local[2]', '--conf', 'spark.sql.shuffle.partitions=2'],
    )
    await once(ranking, 'close')
    expect(ranking.exitCode).toBe(0)
    expect(await farthestRank(dir, out, 6)).toBeLessThan(1e-9)
  }, 1_500_000)
})

/** How far ranks of Spark are from those that DuckDB gives by the same statements, at most. */
async function farthestRank(dir: string, out: string, rounds: number): Promise<number> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const files = (table: string) =>
    `read_parquet('${dir}/epoch=*/learn/bucket=*/${table}.parquet', hive_partitioning = true)`
  await connection.run(`CREATE TABLE node AS SELECT DISTINCT hash FROM ${files('url')}`)
  await connection.run(`CREATE TABLE edge AS SELECT DISTINCT s.hash AS source, t.hash AS target FROM ${files('link')} AS link
    JOIN (SELECT bucket, max(id) AS fetch_id FROM ${files('fetch_log')} WHERE changed GROUP BY bucket, url_id) AS now
      ON now.bucket = link.bucket AND now.fetch_id = link.fetch_id
    JOIN ${files('url')} AS s ON s.bucket = link.bucket AND s.id = link.src
    JOIN ${files('url')} AS t ON t.bucket = link.bucket AND t.id = link.dst
    WHERE s.hash <> t.hash AND (link.rel & ${REL_UNVOTED}) = 0`)
  const text = readFileSync(join(EXAMPLES, 'pagerank.sql'), 'utf8')
  const sql = Object.fromEntries(
    [...text.matchAll(/^-- (\w+)\n((?:(?!--).*\n?)+)/gm)].map(([, name, statement]) => [
      name,
      statement,
    ]),
  )
  await connection.run(`CREATE TABLE degree AS ${sql.degree}`)
  await connection.run(`CREATE TABLE ranked AS ${sql.begin}`)
  for (let round = 0; round < rounds; round++) {
    await connection.run(`CREATE OR REPLACE TABLE dangling AS ${sql.dangling}`)
    await connection.run(`CREATE OR REPLACE TABLE next AS ${sql.round}`)
    await connection.run('CREATE OR REPLACE TABLE ranked AS FROM next')
  }
  const reader = await connection.runAndReadAll(
    `SELECT max(abs(ranked.rank - spark.rank)), count(*) = (SELECT count(*) FROM node), stddev(ranked.rank)
     FROM ranked JOIN read_parquet('${out}/*.parquet') AS spark USING (hash)`,
  )
  const [[farthest, isAll, spread]] = reader.getRows()
  expect(isAll).toBe(true)
  expect(Number(spread)).toBeGreaterThan(0.1)
  connection.closeSync()
  return Number(farthest)
}
