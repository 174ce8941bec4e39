import { beforeEach, expect, test } from 'vitest'
import { archiveFetcher } from '#archive/archive-fetcher.ts'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { crawl } from '#crawl/crawl.ts'
import type { CycleRecord, Repository } from '#crawl/ports.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { crawlPolicy, keepOwed } from '#library/open/crawl-policy.ts'
import { openCrawl } from '#library/open/open-crawl.ts'
import { planAgain } from '#library/plan/plan-again.ts'
import { PLAN_SETTINGS, planRules, planSettingsText } from '#library/plan/plan-settings.ts'
import { importQueryList } from '#library/queries/import-log.ts'
import { DEFAULTS, type Settings } from '#library/settings/settings.ts'
import { firstOf, isThorough } from '#numeric/cases.test-kit.ts'
import { type CycleHead, KeptLog } from '#repository/log/kept-log.ts'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { forager } from './forager-process.ts'

const WEEKS = 4
const records = generateModelWeb({ seed: 5, pages: 500, weeks: WEEKS })
const archive = archiveOf(records)

let dir: string
beforeEach(() => {
  dir = temporaryFolder()
})

interface Run {
  readonly settings: Settings
  readonly week: number
  readonly budget: number
  /** It dies after so many answers. */
  readonly killedAfter?: number
}

/** One run of a crawl, as the command does it; gives its cycles. */
async function runCrawl({ settings, week, budget, killedAfter }: Run): Promise<CycleRecord[]> {
  const web = new RecordedWeb(archive, week)
  let ticks = 0
  const clock = { now: () => archive.timeOf(week) + 0.125 * ticks++ }
  const options = { seeds: web.seeds(), now: clock.now(), isArchiveTime: true }
  const opened = await openCrawl(dir, options)
  const { state, store, now } = opened
  const policy = await crawlPolicy(settings.policy, opened, now, settings)
  await store.saveSettings({
    policy: settings.policy,
    [PLAN_SETTINGS]: planSettingsText(settings),
  })
  let answers = 0
  const repository: Repository = {
    journal: async (...entry) => {
      if (++answers > (killedAfter ?? Infinity)) throw new Error('killed')
      return store.journal(...entry)
    },
    beginCycle: (plan) => store.beginCycle(plan),
    commit: (record, frontier) => store.commit(record, frontier),
  }
  const cycles: CycleRecord[] = []
  const rules = { policy, ...planRules(settings) }
  const ports = { fetcher: archiveFetcher(web, clock), repository, clock }
  const crawling = crawl(state, rules, ports, { budget, batch: 40 }, new AbortController().signal, {
    cycle: (record) => cycles.push(record),
  })
  if (killedAfter === undefined) {
    await crawling
    await keepOwed(settings.policy, policy, opened)
  } else await expect(crawling).rejects.toThrow('killed')
  store.close()
  return cycles
}

/** A crawl of several runs: one is stopped, one is killed, one has another policy. */
async function severalRuns(settings: Settings, other: Settings): Promise<CycleRecord[][]> {
  return [
    await runCrawl({ settings, week: 0, budget: 100 }),
    await runCrawl({ settings, week: 1, budget: 300, killedAfter: 70 }),
    await runCrawl({ settings, week: 2, budget: 250 }),
    await runCrawl({ settings: other, week: 3, budget: 320 }),
  ]
}

const unified = { ...DEFAULTS, policy: 'unified', randomShare: 0.1, freshFor: 1 }
const split = { ...DEFAULTS, policy: 'split:60/30/10', seed: 9 }

const KINDS: readonly [string, boolean][] = [
  ['by a query log', true],
  ['without one', false],
]

test.each(firstOf(0, KINDS))(
  'a plan of a crawl that was stopped and killed is made again %s',
  async (_, hasLog) => {
    if (hasLog) await importQueryList(dir, records.workload!.queries)
    const runs = await severalRuns(unified, split)
    expect(new Set(runs.flat().map(({ price }) => price)).size).toBeGreaterThan(3)
    // The second run was killed in its next cycle, which the third one ended.
    const { cycle: cutOff } = runs[1].at(-1)!
    const made = await planAgain(dir, cutOff + 1)
    expect(made.entry.urls.length).toBe(40)
    // The last plan of a run goes by all that was learnt and planned in it.
    const tried = isThorough ? runs.flat() : runs.slice(2).map((run) => run.at(-1)!)
    for (const { cycle, plan, price } of tried) {
      const made = await planAgain(dir, cycle)
      expect(plan!.urls.length).toBeGreaterThan(0)
      expect(made.plan.fetches.map(({ url }) => url)).toEqual(plan!.urls)
      expect(made.plan.price).toBe(price)
    }
  },
  300_000,
)

test('plan --at shows a past plan, and says in a sentence why it cannot', async () => {
  const cycles = await runCrawl({ settings: split, week: 0, budget: 60 })
  const { cycle, plan } = cycles.at(-1)!
  const at = (number: number) => forager('plan', '--dir', dir, '--at', `${number}`, '--json')
  const shown = JSON.parse((await at(cycle)).stdout)
  expect(shown).toMatchObject({ policy: split.policy, cycle })
  expect(shown.fetches.length).toBe(plan!.urls.length)
  const none = await at(99)
  expect(none.code).toBe(2)
  expect(none.stderr).toMatch(/^forager: there is no cycle 99 in .*: it has 1 to \d+\n$/)
  const log = new KeptLog(dir)
  for (const number of log.numbers().entries) {
    const [head, ...fetches] = (await Array.fromAsync(log.read(number))) as [
      CycleHead,
      ...unknown[],
    ]
    const { plan: _, ...old } = head
    if (head.kind === 'cycle') await log.write(number, old, fetches)
  }
  const earlier = await at(cycle)
  expect(earlier.code).toBe(2)
  expect(earlier.stderr).toMatch(/^forager: the log in .* does not tell what the plan of cycle/)
})
