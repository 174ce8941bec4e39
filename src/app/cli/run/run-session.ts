import type { Crawl } from '#library/crawl.ts'
import type { CrawlNote } from '#library/open/crawl-note.ts'
import type { RunListener, RunningCrawl } from '#library/run/run-crawl.ts'
import { runService } from '#library/service/run-service.ts'
import type { ServiceRate } from '#library/service/service-pace.ts'
import { openLog } from '../crawl/crawl-log.ts'
import { CrawlReporter } from '../crawl/crawl-reporter.ts'
import { logged, logNote, logStart } from '../crawl/crawl-session.ts'
import { optionsOf, type ReadSettings } from '../settings/setting-flags.ts'
import { type Output, some } from '../terminal/output.ts'
import { stopOnSignals } from '../terminal/signals.ts'
import { noteTo } from '../words/note-text.ts'
import { ServiceServers } from './service-servers.ts'

/** Crawls until it is told to stop, and tells what came of it. */
export async function runForGood(
  read: () => ReadSettings,
  seeds: readonly string[],
  output: Output,
): Promise<void> {
  const { settings, configFile } = read()
  if (configFile !== undefined) output.note(`settings from ${configFile}`)
  const log = openLog(settings.log, settings.logLevel, () => Date.now() / 1000)
  await logged(log, async () => {
    await using open = new AsyncDisposableStack()
    const tell = noteTo(output, settings.dir)
    const note = (some: CrawlNote) => {
      tell(some)
      logNote(some, log)
    }
    const stop = stopOnSignals(() => note({ kind: 'stopping' }))
    open.defer(() => stop.forget())
    const servers = open.use(new ServiceServers(settings, output, configFile))
    let reload = () => {}
    const onHangUp = () => reload()
    process.on('SIGHUP', onHangUp)
    open.defer(() => void process.off('SIGHUP', onHangUp))
    const begin = (crawl: Crawl, pace: ServiceRate): RunListener => {
      const reporter = new CrawlReporter(crawl, log, { shown: false })
      return {
        ...reporter.listener,
        begin: async (running: RunningCrawl) => {
          reporter.begin(running)
          await servers.show({ crawl, pace, reporter, running })
          logStart(crawl, log)
          output.note(runningText(crawl))
        },
        outcome: (outcome) => {
          reporter.listener.outcome(outcome)
          servers.saw(outcome)
        },
        beat: () => servers.beat(),
      }
    }
    const summary = await runService({
      read: () => {
        const options = optionsOf(read())
        return { ...options, seeds: [...seeds, ...(options.seeds ?? [])] }
      },
      signal: stop.signal,
      onReload: (how) => {
        reload = how
      },
      note,
      begin,
    })
    const { failures: _, refusals: __, budget: ___, ...told } = summary
    log.write('info', 'end', told)
    output.result(
      told,
      () =>
        `${told.end}: ${some(told.fetchedNow, 'fetch', 'fetches')} since the last start or reload, ${told.spent.toLocaleString('en')} in all; kept in ${told.dir}`,
    )
  })
}

function runningText({ settings, opened }: Crawl): string {
  const { dir, fetchesADay } = settings
  const { spent, frontier } = opened.state
  return `running in ${dir}: ${fetchesADay.toLocaleString('en')} fetches a day; ${some(spent, 'fetch', 'fetches')} so far, ${some(frontier.size, 'URL')} known`
}
