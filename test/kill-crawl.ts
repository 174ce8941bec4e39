import { type Random, seededRandom } from '#numeric/random.ts'
import { askTables } from '#repository/database/ask-tables.test-kit.ts'
import { CrawlStore } from '#repository/state/crawl-store.ts'
import { checkWarcs, type WarcCheck } from './check-warcs.ts'
import { startEndlessSite } from './endless-site.ts'
import { startForager } from './forager-process.ts'

export interface KillPlan {
  readonly dir: string
  readonly kills: number
  readonly budget: number
  /** Fetches a cycle. */
  readonly batch: number
  readonly seed: number
  readonly policy: string
  readonly workers: number
  /** Hears of every kill. */
  readonly onKill?: (finished: number) => void
}

/** What a crawl was like that was killed again and again, and then let finish. */
export interface KilledCrawl {
  /** Fetches that were finished once and later unknown. */
  readonly lost: readonly string[]
  /** Fetches logged more than once. */
  readonly loggedTwice: readonly string[]
  /** Pages asked for although their fetch was finished. */
  readonly repeated: readonly string[]
  /** Requests at the server: each finished fetch, and what was in flight at a kill. */
  readonly requests: number
  readonly finished: number
  readonly end: string
  readonly spent: number
  readonly warc: WarcCheck
}

/** Crawls an endless site, kills the process -9 at random moments, and takes account after each. */
export async function killCrawl(plan: KillPlan): Promise<KilledCrawl> {
  const { dir, kills, budget, batch } = plan
  const random = seededRandom(plan.seed)
  const finished = new Set<string>()
  const repeated: string[] = []
  const lost = new Set<string>()
  const loggedTwice = new Set<string>()
  let requests = 0
  let onRequest = () => {}
  const site = await startEndlessSite((url) => {
    requests++
    if (finished.has(url)) repeated.push(url)
    onRequest()
  })
  const args = ['crawl', 'http://h0.test/0', '--dir', dir, '--json', '--policy', plan.policy]
  args.push('--budget', String(budget), '--batch', String(batch), '--resolve', site.resolve)
  args.push(
    '--workers',
    String(plan.workers),
    '--delay',
    '0',
    '--response-factor',
    '0',
    '--contact',
    'test@example.org',
  )
  const takeAccount = async () => {
    const now = new Set<string>()
    for (const url of await finishedIn(dir)) {
      if (now.has(url)) loggedTwice.add(url)
      now.add(url)
    }
    for (const url of finished) if (!now.has(url)) lost.add(url)
    for (const url of now) finished.add(url)
  }
  try {
    for (let kill = 0; kill < kills; kill++) {
      const { child, ended } = startForager(args)
      const strike = () => child.kill('SIGKILL')
      onRequest = strikeAt(momentOf(random, budget / kills), strike)
      const { signal, stderr } = await ended
      onRequest = () => {}
      if (signal !== 'SIGKILL') throw new Error(`ended before it could be killed: ${stderr}`)
      await takeAccount()
      plan.onKill?.(finished.size)
    }
    const { code, stdout, stderr } = await startForager(args).ended
    if (code !== 0) throw new Error(`the last run failed: ${stderr}`)
    await takeAccount()
    const { end, spent } = JSON.parse(stdout)
    return {
      lost: [...lost],
      loggedTwice: [...loggedTwice],
      repeated,
      requests,
      finished: finished.size,
      end,
      spent,
      warc: await checkWarcs(dir, finished),
    }
  } finally {
    site.close()
  }
}

interface Moment {
  /** Undefined: the clock alone decides, and finds the process starting or taking up what was left. */
  readonly requests?: number
  readonly ms: number
}

/** So that kills take about four fifths of the budget, and the last run has something left to do. */
function momentOf(random: Random, fetchesAKill: number): Moment {
  if (random.chance(0.2)) return { ms: random.below(1_200) }
  return { requests: 1 + random.below(Math.floor(1.6 * fetchesAKill)), ms: random.below(25) }
}

/** Strikes at the moment; gives what must hear of every request. */
function strikeAt({ requests, ms }: Moment, strike: () => void): () => void {
  if (requests === undefined) {
    setTimeout(strike, ms)
    return () => {}
  }
  let left = requests
  return () => {
    if (--left === 0) setTimeout(strike, ms)
  }
}

/** Every URL whose fetch a directory knows to be finished, in the tables or in the journal. */
export async function finishedIn(dir: string): Promise<string[]> {
  const store = await CrawlStore.open(dir)
  const { pending } = await store.load().finally(() => store.close())
  const fetched = 'SELECT u.url FROM fetch_log f JOIN url u ON u.id = f.url_id'
  const stored = await askTables(dir, fetched)
  return [...stored.map(({ url }) => String(url)), ...pending.map(({ outcome }) => outcome.url)]
}
