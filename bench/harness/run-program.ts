import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { UsageReport } from './usage-report.ts'

/** The command line. */
export const FORAGER = join(import.meta.dirname, '..', '..', 'bin', 'forager.js')

/** What a program came to, from its start to its end. */
export interface ProgramRun {
  /** The last line it printed, read as JSON. */
  readonly result: Record<string, unknown>
  readonly cpuSeconds: number
  readonly rssMb: number
  readonly wallSeconds: number
}

/** Runs a Node program to its end as a process of its own, on all cores or only on these, and measures it. */
export async function runProgram(
  file: string,
  args: readonly unknown[],
  cores?: string,
): Promise<ProgramRun> {
  const startedAt = performance.now()
  const report = new UsageReport()
  const node = [process.execPath, ...report.flags, file, ...args.map(String)]
  const [program, ...rest] = cores === undefined ? node : ['taskset', '-c', cores, ...node]
  const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'pipe'], env: report.env })
  const [printed, complaints] = await Promise.all([
    text(child.stdout as Readable),
    text(child.stderr as Readable),
    once(child, 'close'),
  ])
  const usage = report.take(child.pid)
  if (child.exitCode !== 0 || !usage)
    throw new Error(`${file} ended with ${child.exitCode ?? child.signalCode}: ${complaints}`)
  const lastLine = printed.trimEnd().split('\n').at(-1) ?? ''
  const wallSeconds = (performance.now() - startedAt) / 1000
  return { result: JSON.parse(lastLine), ...usage, wallSeconds }
}

/** Runs a command of Forager's. */
export function runForager(...args: readonly unknown[]): Promise<ProgramRun> {
  return runProgram(FORAGER, args)
}

export interface ServedCrawl {
  readonly dir: string
  readonly seeds: readonly string[]
  readonly budget: number
  /** Of this machine, where all hosts are served. */
  readonly port: number
  readonly policy?: string
  /** The cores it is held to, as `taskset` names them. */
  readonly cores?: string
  readonly flags?: readonly unknown[]
}

/** Crawls as a user would, with robots.txt, tables, journal and WARC files; only the pauses are off. */
export function crawlServed(crawl: ServedCrawl): Promise<ProgramRun> {
  const policy = crawl.policy === undefined ? [] : ['--policy', crawl.policy]
  const args = [
    ...['crawl', ...crawl.seeds, '--dir', crawl.dir, '--budget', crawl.budget, '--json', ...policy],
    ...['--resolve', `*=127.0.0.1:${crawl.port}`, '--contact', 'bench@bench.test'],
    ...['--delay', 0, '--response-factor', 0, ...(crawl.flags ?? [])],
  ]
  return runProgram(FORAGER, args, crawl.cores)
}
