import { crawl } from '#crawl/crawl.ts'
import type { Fetcher } from '#crawl/ports.ts'
import { crawlPolicy, keepOwed } from '#library/open/crawl-policy.ts'
import { nothingToCrawl, type OpenCrawl, openCrawl } from '#library/open/open-crawl.ts'
import { type OwnBidders, readPolicyFiles } from '#library/open/policy-file.ts'
import { readSeeds } from '#library/open/seeds.ts'
import { openWeb, type Web } from '#library/open/web.ts'
import { planRules } from '#library/plan/plan-rules.ts'
import { PLAN_SETTINGS, planSettingsText } from '#library/plan/plan-settings.ts'
import { dropRequest, takeRequest } from '#library/run/control-file.ts'
import { type PausableFetcher, pausable } from '#library/run/pausable-fetcher.ts'
import { dropProgress, writeProgress } from '#library/run/progress-file.ts'
import type { Settings } from '#library/settings/settings.ts'
import { version } from '#library/settings/version.ts'
import { checkedPolicy } from '#policy/registry/policy-name.ts'
import { holdsCrawl } from '#repository/database/crawl-folder.ts'
import { takeInSearchEvents } from '#repository/state/open-queries.ts'
import { type MetricsServer, startMetricsServer } from '../../server/metrics-server.ts'
import type { ReadSettings } from '../settings/setting-flags.ts'
import { type Output, some } from '../terminal/output.ts'
import { type StopWish, stopOnSignals } from '../terminal/signals.ts'
import { checkUntilGain, noteWithoutCopies, policyInForce } from '../words/policy-in-force.ts'
import { skippedLines } from '../words/skipped-lines.ts'
import { straySeeds } from '../words/stray-redirects.ts'
import { whenFree } from '../words/when-free.ts'
import { type CrawlLog, openLog } from './crawl-log.ts'
import { describeEnd, summaryOf, summaryText } from './crawl-summary.ts'
import { CrawlWitness } from './crawl-witness.ts'
import { openWarcs } from './warc-files.ts'

/** How often a crawl says how far it is, and how often it looks whether somebody wants something of it. */
const HEARTBEAT_MS = 1_000
const LOOK_MS = 250

/** Everything one run of a crawl holds open. */
interface Session {
  readonly settings: Settings
  readonly bidders: OwnBidders
  readonly output: Output
  readonly web: Web
  readonly fetcher: PausableFetcher
  readonly opened: OpenCrawl
  readonly witness: CrawlWitness
  readonly log: CrawlLog
  readonly stop: StopWish
  /** What the user should know of the policy. */
  readonly remark?: string
}

/** Crawls until the end, then tells what came of it. Exit code 1 when nothing at all could be had. */
export async function runCrawl(
  args: readonly string[],
  read: ReadSettings,
  output: Output,
): Promise<void> {
  const { settings } = read
  const log = openLog(settings.log, settings.logLevel, () => Date.now() / 1000)
  try {
    await crawlWithLog(args, read, output, log)
  } catch (error) {
    complainInLog(log, error)
    throw error
  } finally {
    log.close()
  }
}

/** Opens everything in turn; whatever happens, it is closed again in the opposite order. */
async function crawlWithLog(
  args: readonly string[],
  read: ReadSettings,
  output: Output,
  log: CrawlLog,
): Promise<void> {
  await using open = new AsyncDisposableStack()
  const { settings } = read
  const { dir, budget, scope } = settings
  const given = readSeeds([...args, ...(settings.seedUrls ?? [])], settings.seeds)
  if (given.length === 0 && settings.archive === undefined && !holdsCrawl(dir))
    throw nothingToCrawl(dir)
  const bidders = await readPolicyFiles(settings.policyFile, output.note)
  if (read.given.has('policy')) checkedPolicy(settings.policy, '--policy', bidders.registry)
  const web = await openWeb(settings)
  const openOptions = {
    seeds: given.length > 0 ? given : web.seeds,
    scope: scopeRulesOf(settings),
    index: settings.index,
    now: web.clock.now(),
    isArchiveTime: web.kind === 'recorded',
  }
  const openDirectory = async () => {
    const report = holdsCrawl(dir) && (await takeInSearchEvents(dir, Date.now() / 1000))
    if (report) for (const line of skippedLines(report)) output.note(line)
    return openCrawl(dir, openOptions)
  }
  const opened = await whenFree(dir, openDirectory, output)
  const { state, store, recovered, moved } = opened
  let hasBegun = false
  open.defer(() => (hasBegun ? store.close() : store.discard()))
  const policy = policyInForce(read, opened, output, bidders)
  checkUntilGain(settings.untilGain, policy, opened, output, bidders)
  const remark = noteWithoutCopies(policy, opened, output, bidders)
  if (recovered > 0)
    output.note(`took up ${some(recovered, 'fetch', 'fetches')} of a run that was cut off`)
  if (moved > 0)
    output.note(
      `${some(moved, 'fetch was', 'fetches were')} noted at times still to come, so the clock was wrong: they count as of now`,
    )
  const keepsWarc = settings.warc && web.kind === 'live'
  if (keepsWarc) {
    const { frontier } = state
    const isSeed = (url: string) => {
      const number = frontier.urls.find(url)
      return number !== undefined && frontier.isSeed(number)
    }
    const warcs = await openWarcs(settings, isSeed, store)
    open.defer(() => warcs.close())
    store.keepExchangesIn(warcs.sink)
    if (warcs.cutBytes > 0) log.write('warn', 'warc-repaired', { cutBytes: warcs.cutBytes })
  }
  const stop = stopOnSignals(() => {
    output.note('stopping: what is under way gets a moment to end (again to quit at once)')
    log.write('info', 'stopping')
  })
  open.defer(() => stop.forget())
  const witness = new CrawlWitness(state, log, { budget, shown: !output.json, now: web.clock.now })
  const plain = await fetcherWithMemory(web, settings, opened, keepsWarc)
  const fetcher = pausable(plain, () => witness.onPlanned())
  open.defer(() => fetcher.close())
  const session = {
    settings: { ...settings, policy },
    bidders,
    output,
    web,
    fetcher,
    opened,
    witness,
    log,
    stop,
    ...(remark !== undefined && { remark }),
  }
  const metrics = await serveMetrics(session)
  open.defer(() => metrics?.close())
  log.write('info', 'start', { version, dir, policy, budget, scope, spent: state.spent, recovered })
  open.defer(startHeartbeat(session))
  await crawlAndTell(session, () => {
    hasBegun = true
  })
}

/** A fetcher that knows what its predecessor knew, and keeps to what is left of the bytes. */
async function fetcherWithMemory(
  web: Web,
  { maxBytes }: Settings,
  { store, state }: OpenCrawl,
  keepExchange: boolean,
): Promise<Fetcher> {
  if (web.kind === 'recorded') return web.fetcher()
  const now = web.clock.now()
  const memory = await store.fetcherMemory()
  const bytesLeft = maxBytes === undefined ? undefined : () => maxBytes - state.bytes
  const fetcher = web.fetcher({ ...memory, keepExchange, ...(bytesLeft && { bytesLeft }) })
  store.rememberFetcher(fetcher, memory, now)
  return fetcher
}

async function crawlAndTell(session: Session, onBegin: () => void): Promise<void> {
  const { settings, bidders, output, web, fetcher, opened, witness, log, stop } = session
  const { state, store } = opened
  const options = { ...settings, registry: bidders.registry }
  const policy = await crawlPolicy(settings.policy, opened, opened.now, options)
  // Only now: a policy that cannot run here is refused, and status tells of the last that did.
  onBegin()
  await store.saveSettings({
    policy: settings.policy,
    [PLAN_SETTINGS]: planSettingsText(settings),
  })
  const rules = {
    policy,
    ...planRules(settings),
    ...(settings.untilGain !== undefined && { untilGain: settings.untilGain }),
  }
  const limits = {
    budget: settings.budget,
    batch: settings.batch,
    bytes: settings.maxBytes,
    until: web.until,
    waitSeconds: settings.maxWait,
  }
  const searches = async (at: number) => {
    const taken = await store.takeInSearches(at, Date.now() / 1000)
    if (taken) for (const line of skippedLines(taken.report)) output.note(line)
    return taken?.queries
  }
  const ports = {
    ...{ fetcher, repository: store, clock: web.clock },
    // Without an index they change nothing, and wait for the next run.
    ...(state.indexer && { searches }),
  }
  const end = await crawl(state, rules, ports, limits, stop.signal, {
    outcome: (outcome) => witness.onOutcome(outcome),
    cycle: (record) => witness.onCycle(record),
    wait: (rest) => witness.onWait(rest),
  })
  await keepOwed(settings.policy, policy, opened)
  witness.clear()
  const rests = end === 'nothing left to fetch' ? state.resting.at(web.clock.now()) : []
  const hindrances = { straySeeds: await straySeeds(opened), rests }
  const summary = summaryOf(end, settings, state, witness, hindrances)
  const { failures: _, refusals: __, ...numbers } = summary
  log.write('info', 'end', numbers)
  output.result(summary, () => summaryText(summary))
  describeEnd(summary, output)
}

/** Only what the user said: the directory remembers the rest. */
function scopeRulesOf({ scope, include, exclude, maxDepth }: Settings) {
  return {
    ...(scope !== undefined && { scope }),
    ...(include !== undefined && { include }),
    ...(exclude !== undefined && { exclude }),
    ...(maxDepth !== undefined && { maxDepth }),
  }
}

/** Tells others how far the crawl is, and does what they ask; gives the way to end that. */
function startHeartbeat(session: Session): () => void {
  const { settings, opened, web, fetcher, witness, stop, log, output, remark } = session
  const { dir, policy, budget } = settings
  const { state } = opened
  let answered: string | undefined
  const obey = () => {
    const request = takeRequest(dir)
    if (!request) return
    answered = request.id
    if (request.control === 'stop') stop.stop()
    if (request.control === 'pause' && !fetcher.paused) {
      fetcher.pause()
      output.note(`paused: forager resume --dir ${dir} lets it go on`)
      log.write('info', 'paused')
    }
    if (request.control === 'resume' && fetcher.paused) {
      fetcher.resume()
      output.note('going on')
      log.write('info', 'resumed')
    }
    beat()
  }
  const beat = () => {
    witness.showWait()
    const { waitsFor } = witness
    const at = Date.now() / 1000
    // Others go by the machine's clock, which may have been set since the crawl began.
    const byWall = (time: number) => time - web.clock.now() + at
    writeProgress(dir, {
      pid: process.pid,
      at,
      doing: stop.signal.aborted ? 'stopping' : fetcher.paused ? 'paused' : 'crawling',
      policy,
      budget,
      spent: state.spent,
      known: state.frontier.size,
      ...(waitsFor && { waitsFor: { host: waitsFor.host, until: byWall(waitsFor.until) } }),
      fetchesPerSecond: witness.fetchedNow / witness.seconds,
      tasks: witness.spending.tasks,
      ...(witness.spending.price !== undefined && { price: witness.spending.price }),
      ...(remark !== undefined && { remark }),
      ...(answered !== undefined && { answered }),
    })
  }
  dropRequest(dir) // meant for an earlier run
  beat()
  const heart = setInterval(beat, HEARTBEAT_MS)
  const ear = setInterval(obey, LOOK_MS)
  return () => {
    clearInterval(heart)
    clearInterval(ear)
    dropProgress(dir)
  }
}

async function serveMetrics(session: Session): Promise<MetricsServer | undefined> {
  const { settings, witness, fetcher, opened, output, stop } = session
  const { metricsPort, metricsHost, budget } = settings
  if (metricsPort === undefined) return undefined
  const server = await startMetricsServer({
    port: metricsPort,
    host: metricsHost,
    metrics: () =>
      witness.families({
        budget,
        inFlight: fetcher.inFlight().length,
        paused: fetcher.paused,
      }),
    health: () => ({
      status: 'ok',
      doing: stop.signal.aborted ? 'stopping' : fetcher.paused ? 'paused' : 'crawling',
      version,
      seconds: witness.seconds,
      spent: opened.state.spent,
      budget,
    }),
  })
  output.note(`metrics: http://${metricsHost}:${server.port}/metrics`)
  return server
}

/** The log may lie on the disk that is full; what went wrong matters more than that. */
function complainInLog(log: CrawlLog, error: unknown): void {
  try {
    log.write('error', 'failed', {
      message: error instanceof Error ? error.message : String(error),
    })
  } catch {}
}
