import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { BenchSite } from './crawl-site.ts'

const here = (file: string) => join(import.meta.dirname, file)

/** What a program came to, from its start to its end. */
export interface ProgramRun {
  /** The last line it printed, read as JSON. */
  readonly result: Record<string, unknown>
  readonly cpuSeconds: number
  readonly rssMb: number
  readonly wallSeconds: number
}

/** Runs a Node program to its end as a process of its own, and measures it. */
export async function runProgram(file: string, args: readonly string[]): Promise<ProgramRun> {
  const startedAt = performance.now()
  const flags = ['--import', here('crawl-report-usage.ts')]
  const child = spawn(process.execPath, [...flags, file, ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  const [printed, complaints, usage] = await Promise.all([
    text(child.stdout as Readable),
    text(child.stderr as Readable),
    text(child.stdio[3] as Readable),
    once(child, 'close'),
  ])
  if (child.exitCode !== 0)
    throw new Error(`${file} ended with ${child.exitCode ?? child.signalCode}: ${complaints}`)
  const lastLine = printed.trimEnd().split('\n').at(-1) ?? ''
  const wallSeconds = (performance.now() - startedAt) / 1000
  return { result: JSON.parse(lastLine), ...JSON.parse(usage), wallSeconds }
}

/** Starts the site's server; `stop` ends it. */
export async function serveSite(site: BenchSite): Promise<{
  readonly port: number
  readonly meanBytes: number
  readonly stop: () => void
}> {
  const { pages, hosts, pageBytes } = site
  const args = [here('crawl-site-server.ts'), ...[pages, hosts, pageBytes].map(String)]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const line = await firstLine(child)
  return { ...JSON.parse(line), stop: () => child.kill() }
}

async function firstLine(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout as Readable })) return line
  throw new Error('the site server ended before it served')
}
