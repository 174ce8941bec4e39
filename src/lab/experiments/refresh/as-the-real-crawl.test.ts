import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { canonicalUrl } from '#parse/url/canonical-url.ts'
import { generateModelWeb } from '../../model-web/generate.ts'
import { HeldAnswers } from '../../refresh/held-answers.ts'
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
const PERCENT = 5

/** The mean quality while the real crawl refreshes copies of the same pages, judged alike. */
async function qualityOfCrawl(bidder: string): Promise<number> {
  const crawl = new WorldCrawl({ archive, week: 0, log: queries, seed: 1, seeksSitemaps: false })
  const urls = Array.from(pages.archivePages, (page) => canonicalUrl(archive.urlOf(page))!)
  const pageOf = new Map(urls.map((url, page) => [url, page]))
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

test('refreshing gives the quality that the real crawl gives, by the same bidders', async () => {
  const policies = ['uniform', 'quality', 'views']
  const { rows } = runRefresh(lab, () => pageChanges(lab), {
    ...{ scoring: 'tfidf', protocol: 'online', percents: [PERCENT], policies },
    ...{ lastmod: 'none', seed: 1 },
  })
  expect(rows.map(({ policy }) => policy)).toEqual(policies)
  const none = simulate(lab, { from: 0, to: pages.weeks - 1 }, noRefresher).quality
  for (const { policy, quality } of rows) {
    // Ties, and what copies are predicted to lose by another scoring, make small differences.
    expect(Math.abs((await qualityOfCrawl(policy)) - quality), policy).toBeLessThan(0.005)
    expect(quality - none, policy).toBeGreaterThan(0.02)
  }
})
