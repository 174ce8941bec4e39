import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { firstOf } from '#numeric/cases.test-kit.ts'
import { canonicalUrl } from '#parse/url/canonical-url.ts'
import { REGISTRY } from '#policy/registry/registry.ts'
import { generateModelWeb } from '../../model-web/generate.ts'
import { HeldAnswers } from '../../refresh/held-answers.ts'
import { onlineRefresher } from '../../refresh/online-refresher.ts'
import { pageChanges } from '../../refresh/page-changes.ts'
import { noRefresher } from '../../refresh/period-refresher.ts'
import { refreshLab, refreshTexts } from '../../refresh/refresh-lab.ts'
import { simulate } from '../../refresh/simulate.ts'
import { WorldCrawl } from '../../worlds/world-crawl.ts'
import { runRefresh } from './refresh.ts'

const records = generateModelWeb({ seed: 6, pages: 500, weeks: 12 })
const archive = archiveOf(records)
const { queries } = records.workload!
const lab = refreshLab(refreshTexts(archive, queries), 'tfidf')
const { pages, ideals } = lab
const urls = Array.from(pages.archivePages, (page) => canonicalUrl(archive.urlOf(page))!)
const pageOf = new Map(urls.map((url, page) => [url, page]))
const PERCENT = 20

/** The mean quality while the real crawl refreshes copies of the same pages, judged alike. */
async function qualityOfCrawl(bidder: string): Promise<number> {
  const crawl = new WorldCrawl({ archive, week: 0, log: queries, seed: 1, seeksSitemaps: false })
  await crawl.visit(urls)
  const held = HeldAnswers.at(pages, lab.answers, 0)
  let sum = 0
  for (let week = 1; week < pages.weeks; week++) {
    crawl.goTo(week)
    for (const page of pages.changedPages[week])
      held.change(page, pages.contents[page * pages.weeks + week])
    const before = held.earned
    const budget = Math.round((urls.length * PERCENT) / 100)
    for (const { outcome } of await crawl.spend(`split:0/1/0:none,${bidder},none`, budget)) {
      const page = pageOf.get(outcome.url)
      if (page !== undefined && outcome.kind === 'page') held.refresh(page)
    }
    sum += (before + held.earned) / 2 / ideals[week]
  }
  return sum / (pages.weeks - 1)
}

test.each(firstOf(1, ['quality', 'views']))(
  'refreshing by %s gives the quality that the real crawl gives',
  async (policy) => {
    const { rows } = runRefresh(lab, () => pageChanges(lab), {
      ...{ scoring: 'tfidf', protocol: 'online', percents: [PERCENT], policies: [policy] },
      ...{ lastmod: 'none', seed: 1 },
    })
    const none = simulate(lab, { from: 0, to: pages.weeks - 1 }, noRefresher).quality
    const gained = rows[0].quality - none
    expect(gained).toBeGreaterThan(0.03)
    // The crawl's own scores are not those of the judge, so its predictions are others.
    expect(Math.abs((await qualityOfCrawl(policy)) - rows[0].quality)).toBeLessThan(0.1 * gained)
  },
)

test('who bids is told how many pages link to each, as in a crawl', () => {
  const told: unknown[] = []
  const views = REGISTRY.named('views')!
  const bidder = {
    ...views,
    bids: (facts: Parameters<typeof views.bids>[0]) => {
      told.push(facts.inLinks)
      return views.bids(facts)
    },
  }
  const refresher = onlineRefresher(lab, { bidder, budget: 5, from: 0, seed: 1 })
  simulate(lab, { from: 0, to: 1 }, refresher)
  expect(told).toEqual([lab.inLinks])
  expect(Math.max(...lab.inLinks)).toBeGreaterThan(10)
})

test('a change that a refetch finds is one for the real crawl', async () => {
  const bidder = REGISTRY.named('quality')!
  const refresher = onlineRefresher(lab, { bidder, budget: 40, from: 0, seed: 1 })
  const refetches: [week: number, page: number, changed: boolean][] = []
  simulate(
    lab,
    { from: 0, to: pages.weeks - 1 },
    {
      choose: refresher.choose,
      learn: (week, refetch) => {
        refetches.push([week, refetch.page, refetch.changed])
        refresher.learn?.(week, refetch)
      },
    },
  )
  const crawl = new WorldCrawl({ archive, week: 0, log: [], seed: 1, seeksSitemaps: false })
  await crawl.visit(urls)
  const byCrawl: typeof refetches = []
  for (let week = 1; week < pages.weeks; week++) {
    crawl.goTo(week)
    const chosen = refetches.filter(([when]) => when === week)
    for (const { outcome, contentChanged } of await crawl.visit(
      chosen.map(([, page]) => urls[page]),
    ))
      byCrawl.push([week, pageOf.get(outcome.url)!, contentChanged])
  }
  const changes = refetches.filter(([, , changed]) => changed).length
  expect(changes).toBeGreaterThan(50)
  // The crawl overlooks a word in a long text, and also sees changes in menus, which the judge leaves out.
  const missed = refetches.filter(([, , changed], i) => changed && !byCrawl[i][2]).length
  expect(missed).toBeLessThan(0.03 * changes)
  const asFetched = (all: typeof refetches) => all.map(([week, page]) => [week, page])
  expect(asFetched(byCrawl)).toEqual(asFetched(refetches))
})
