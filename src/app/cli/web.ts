import type { Clock, Fetcher } from '#crawl/ports.ts'
import { liveFetcher } from '#fetch/live-fetcher.ts'
import { parseResolveRule } from '#fetch/resolve-rules.ts'
import { archiveFetcher } from '#lab/archive-fetcher.ts'
import { RecordedWeb } from '#lab/recorded-web.ts'
import { canonicalUrl } from '#parse/canonical-url.ts'
import { UsageError } from '#parse/usage-error.ts'
import { readArchive } from '#repository/archive/read-archive.ts'
import { version } from './version.ts'

export interface WebOptions {
  delay: number
  concurrency: number
  resolve?: readonly string[]
  archive?: string
  at?: number
  userAgent?: string
}

/** A web to crawl: something that fetches, its time, and where to begin if nobody says. */
export interface Web {
  readonly fetcher: Fetcher
  readonly clock: Clock
  readonly seeds: readonly string[]
}

/** The live web, or the archive the user named. */
export async function openWeb(options: WebOptions): Promise<Web> {
  return options.archive === undefined
    ? openLiveWeb(options)
    : openArchive(options.archive, options.at)
}

function openLiveWeb(options: WebOptions): Web {
  if (options.at !== undefined)
    throw new UsageError('--at goes with --archive: name the archive too')
  const clock = { now: () => Date.now() / 1000 }
  const fetcher = liveFetcher({
    userAgent: options.userAgent ?? `Forager/${version}`,
    agentToken: 'forager',
    resolve: (options.resolve ?? []).map(parseResolveRule),
    delayMs: options.delay * 1000,
    connectionsPerHost: 1,
    concurrency: options.concurrency,
    timeouts: { connectMs: 10_000, firstByteMs: 20_000, totalMs: 60_000 },
    maxBodyBytes: 10 * 1024 * 1024,
    clock,
  })
  return { fetcher, clock, seeds: [] }
}

async function openArchive(dir: string, at: number | undefined): Promise<Web> {
  const archive = await readArchive(dir)
  const snapshot = at ?? archive.snapshotCount - 1
  if (snapshot >= archive.snapshotCount)
    throw new UsageError(
      `--at ${snapshot}: ${dir} has snapshots 0 to ${archive.snapshotCount - 1} only`,
    )
  const clock = { now: () => archive.timeOf(snapshot) }
  return {
    fetcher: archiveFetcher(new RecordedWeb(archive, snapshot), clock),
    clock,
    seeds: archive.site.start.flatMap((url) => canonicalUrl(url) ?? []),
  }
}
