import { type Crawl, openCrawl } from '#library/crawl.ts'
import type { CrawlNote } from '#library/open/crawl-note.ts'
import { version } from '#library/settings/version.ts'
import { mistakeText } from '../settings/complaint.ts'
import { optionsOf, type ReadSettings } from '../settings/setting-flags.ts'
import type { Output } from '../terminal/output.ts'
import { stopOnSignals } from '../terminal/signals.ts'
import { noteTo } from '../words/note-text.ts'
import { type CrawlLog, openLog } from './crawl-log.ts'
import { CrawlReporter } from './crawl-reporter.ts'
import { describeEnd, summaryText, toldSummary } from './crawl-summary-text.ts'
import { serveMetrics } from './run-metrics.ts'

/** Crawls until the end, then tells what came of it. Exit code 1 when nothing at all could be had. */
export async function runCrawl(
  seeds: readonly string[],
  read: ReadSettings,
  output: Output,
): Promise<void> {
  const { settings } = read
  const log = openLog(settings.log, settings.logLevel, () => Date.now() / 1000)
  await logged(log, () => crawlWithLog(seeds, read, output, log))
}

/** Works with a log: what goes wrong is in it, and it is closed whatever happens. */
export async function logged(log: CrawlLog, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    complainInLog(log, error)
    throw error
  } finally {
    log.close()
  }
}

/** Opens everything in turn; whatever happens, it is closed again in the opposite order. */
async function crawlWithLog(
  seeds: readonly string[],
  read: ReadSettings,
  output: Output,
  log: CrawlLog,
): Promise<void> {
  const { settings } = read
  const tell = noteTo(output, settings.dir)
  const note = (some: CrawlNote) => {
    tell(some)
    logNote(some, log)
  }
  const options = optionsOf(read)
  await using crawl = await openCrawl(
    { ...options, seeds: [...seeds, ...(options.seeds ?? [])] },
    { note },
  )
  await using open = new AsyncDisposableStack()
  const stop = stopOnSignals(() => note({ kind: 'stopping' }))
  open.defer(() => stop.forget())
  const reporter = new CrawlReporter(crawl, log, {
    ...{ budget: crawl.settings.budget, maxTime: settings.maxTime, shown: !output.json },
  })
  const summary = await crawl.run({
    signal: stop.signal,
    on: {
      ...reporter.listener,
      note,
      begin: async (running) => {
        reporter.begin(running)
        const metrics = await serveMetrics(settings, output, () => ({ crawl, running, reporter }))
        open.defer(() => metrics?.close())
        logStart(crawl, log)
      },
      beat: () => reporter.showWait(),
    },
  })
  reporter.clear()
  const told = toldSummary(summary)
  const { failures: _, refusals: __, ...numbers } = told
  log.write('info', 'end', numbers)
  output.result(told, () => summaryText(told))
  describeEnd(told, output)
}

const EVENTS: Partial<Record<CrawlNote['kind'], string>> = {
  paused: 'paused',
  resumed: 'resumed',
  stopping: 'stopping',
}

export function logNote(note: CrawlNote, log: CrawlLog): void {
  const event = EVENTS[note.kind]
  if (event !== undefined) log.write('info', event)
  if (note.kind === 'warc repaired') log.write('warn', 'warc-repaired', { cutBytes: note.cutBytes })
}

export function logStart({ opened, settings }: Crawl, log: CrawlLog): void {
  const { dir, policy, budget, scope } = settings
  const { state, recovered } = opened
  log.write('info', 'start', { version, dir, policy, budget, scope, spent: state.spent, recovered })
}

/** The log may lie on the disk that is full; what went wrong matters more than that. */
function complainInLog(log: CrawlLog, error: unknown): void {
  try {
    log.write('error', 'failed', {
      message: mistakeText(error) ?? (error instanceof Error ? error.message : String(error)),
    })
  } catch {}
}
