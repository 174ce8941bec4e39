import { SettingError } from '#errors/setting-error.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { type Hearing, openHearing } from '#library/hear/open-hearing.ts'
import type { Settings } from '#library/settings/settings.ts'
import { startHearServer } from '../../server/hear/hear-server.ts'
import { MOST_LOG_BYTES } from '../../server/search/search-log.ts'
import { type ShownRun, serveMetrics } from '../crawl/run-metrics.ts'
import { serveSearch } from '../search/search-page.ts'
import type { Output } from '../terminal/output.ts'
import { startControlProcess } from './control-process.ts'

const REQUESTS_A_SECOND = 10

/** The search page and metrics of a service: they stay where they are while it is reloaded. */
export class ServiceServers implements AsyncDisposable {
  readonly #settings: Settings
  readonly #output: Output
  readonly #configFile: string | undefined
  readonly #open = new AsyncDisposableStack()
  #shown: ShownRun | undefined
  #hearing: Hearing | undefined

  constructor(settings: Settings, output: Output, configFile?: string) {
    this.#settings = settings
    this.#output = output
    this.#configFile = configFile
  }

  /** From now on they tell of this one. */
  async show(shown: ShownRun): Promise<void> {
    const isFirst = this.#shown === undefined
    this.#shown = shown
    if (!isFirst) return
    const metrics = await serveMetrics(this.#settings, this.#output, () => this.#shown!)
    this.#open.defer(() => metrics?.close())
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
