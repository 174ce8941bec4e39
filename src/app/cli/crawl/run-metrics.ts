import type { Crawl } from '#library/crawl.ts'
import type { RunningCrawl } from '#library/run/run-crawl.ts'
import type { ServiceRate } from '#library/service/service-pace.ts'
import type { Settings } from '#library/settings/settings.ts'
import { version } from '#library/settings/version.ts'
import { fleetFamilies, serviceFamilies } from '../../server/crawl-metrics.ts'
import { type MetricsServer, startMetricsServer } from '../../server/metrics-server.ts'
import type { Output } from '../terminal/output.ts'
import type { CrawlReporter } from './crawl-reporter.ts'

/** A run that is shown; one of a service has a pace, in place of a budget. */
export interface ShownRun {
  readonly crawl: Crawl
  readonly running: RunningCrawl
  readonly reporter: CrawlReporter
  readonly pace?: ServiceRate
}

/** Serves metrics and health of the run that is shown by then, if that is wanted. */
export async function serveMetrics(
  { metricsPort: port, metricsHost: host }: Settings,
  output: Output,
  shown: () => ShownRun,
): Promise<MetricsServer | undefined> {
  if (port === undefined) return undefined
  const server = await startMetricsServer({
    ...{ port, host },
    metrics: () => metricsOf(shown()),
    health: () => healthOf(shown()),
  })
  output.note(`metrics: http://${host}:${server.port}/metrics`)
  return server
}

function metricsOf({ crawl, running, reporter, pace }: ShownRun) {
  const { inFlight, doing, fleet } = running
  const budget = pace ? undefined : crawl.settings.budget
  return [
    ...reporter.families({ budget, inFlight, paused: doing === 'paused' }),
    ...(pace ? serviceFamilies(crawl.settings, pace) : []),
    ...(fleet ? fleetFamilies(fleet) : []),
  ]
}

function healthOf({ crawl, running: { doing, tally }, pace }: ShownRun) {
  const { settings, opened } = crawl
  const means = pace
    ? { leftInDay: pace.leftInDay(), waits: pace.waits }
    : { budget: settings.budget }
  return {
    ...{ status: 'ok', doing, version, seconds: tally.seconds, spent: opened.state.spent },
    ...means,
  }
}
