import { SettingError } from '#errors/setting-error.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import type { Crawl } from '#library/crawl.ts'
import { type Hearing, openHearing } from '#library/hear/open-hearing.ts'
import type { RunningCrawl } from '#library/run/run-crawl.ts'
import type { ServiceRate } from '#library/service/service-pace.ts'
import type { Settings } from '#library/settings/settings.ts'
import { version } from '#library/settings/version.ts'
import { fleetFamilies, serviceFamilies } from '../../server/crawl-metrics.ts'
import { startHearServer } from '../../server/hear/hear-server.ts'
import { startMetricsServer } from '../../server/metrics-server.ts'
import { MOST_LOG_BYTES } from '../../server/search/search-log.ts'
import type { CrawlReporter } from '../crawl/crawl-reporter.ts'
import { serveSearch } from '../search/search-page.ts'
import type { Output } from '../terminal/output.ts'
import { startControlProcess } from './control-process.ts'

/** A service between two reloads. */
interface Shown {
  readonly crawl: Crawl
  readonly pace: ServiceRate
  readonly reporter: CrawlReporter
  readonly running: RunningCrawl
}

const REQUESTS_A_SECOND = 10

/** The search page and metrics of a service: they stay where they are while it is reloaded. */
export class ServiceServers implements AsyncDisposable {
  readonly #settings: Settings
  readonly #output: Output
  readonly #configFile: string | undefined
  readonly #open = new AsyncDisposableStack()
  #shown: Shown | undefined
  #hearing: Hearing | undefined

  constructor(settings: Settings, output: Output, configFile?: string) {
    this.#settings = settings
    this.#output = output
    this.#configFile = configFile
  }

  /** From now on they tell of this one. */
  async show(shown: Shown): Promise<void> {
    const isFirst = this.#shown === undefined
    this.#shown = shown
    if (!isFirst) return
    await this.#serveMetrics()
    await this.#serveSearch()
    await this.#listen()
  }

  /** What the crawl fetched may be what sites or hubs are to be heard by. */
  saw(outcome: FetchOutcome): void {
    this.#hearing?.saw(outcome)
  }

  /** Now and then. */
  beat(): void {
    this.#hearing?.renew()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#open.disposeAsync()
  }

  async #serveMetrics(): Promise<void> {
    const { metricsPort: port, metricsHost: host } = this.#settings
    if (port === undefined) return
    const metrics = () => {
      const { reporter, running, pace, crawl } = this.#shown!
      const paused = running.doing === 'paused'
      return [
        ...reporter.families({ inFlight: running.inFlight, paused }),
        ...serviceFamilies(crawl.settings, pace),
        ...(running.fleet ? fleetFamilies(running.fleet) : []),
      ]
    }
    const server = await startMetricsServer({ port, host, metrics, health: () => this.#health() })
    this.#open.defer(() => server.close())
    this.#output.note(`metrics: http://${host}:${server.port}/metrics`)
  }

  /** Sites and hubs, if they are to be heard. */
  async #listen(): Promise<void> {
    const { hearPort: port, hearHost: host, callback } = this.#settings
    if (port === undefined) {
      if (callback === undefined) return
      throw new SettingError('callback', '{callback} is where hubs reach {hearPort}: name that too')
    }
    const isWelcome = (url: string) => {
      const { frontier, scope } = this.#shown!.crawl.opened.state
      if (frontier.instructed.exclusionOf(url) !== undefined) return false
      return frontier.urls.find(url) !== undefined || scope(url, 1) === undefined
    }
    const isKnown = (url: string) => {
      const { urls, instructed } = this.#shown!.crawl.opened.state.frontier
      const number = urls.find(url)
      return number !== undefined && !instructed.isForgotten(number)
    }
    const hearing = this.#open.use(openHearing(this.#settings, { isWelcome, isKnown }))
    const onError = (error: unknown) => this.#output.note(`not heard: ${(error as Error).message}`)
    const server = await startHearServer({ host, port, hearing, onError })
    this.#open.defer(() => server.close())
    this.#hearing = hearing
    this.#output.note(`listening to sites: http://${host}:${server.port}/indexnow`)
  }

  #health() {
    const { crawl, pace, running } = this.#shown!
    const { spent } = crawl.opened.state
    const { doing, tally } = running
    const told = { leftInDay: pace.leftInDay(), waits: pace.waits }
    return { status: 'ok', doing, version, seconds: tally.seconds, spent, ...told }
  }

  async #serveSearch(): Promise<void> {
    const { serve: port, serveHost: host, dir, control, controlActions } = this.#settings
    if (port === undefined) return
    if (control || controlActions) {
      const room = await startControlProcess(this.#settings, this.#configFile)
      this.#open.defer(() => room.close())
      this.#output.note(`search page: ${room.url}\ncontrol room: ${room.controlUrl}`)
      return
    }
    const how = {
      port,
      host,
      rate: REQUESTS_A_SECOND,
      queryLog: true,
      queryLogSize: MOST_LOG_BYTES,
    }
    const page = await serveSearch(dir, how, this.#output, true)
    this.#open.defer(async () => void (await page.close()))
    this.#output.note(`search page: ${page.url}`)
  }
}
