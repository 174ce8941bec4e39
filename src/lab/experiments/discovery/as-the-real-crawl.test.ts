import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { canonicalUrl } from '#parse/url/canonical-url.ts'
import { uniformRefresh } from '#policy/refresh/by-age.ts'
import { generateModelWeb } from '../../model-web/generate.ts'
import { byYield } from '../../revisits/by-yield.ts'
import { discoverySite } from '../../revisits/discovery-site.ts'
import { byBidder, type RevisitingWay } from '../../revisits/revisiting.ts'
import { WorldCrawl } from '../../worlds/world-crawl.ts'
import { simulateRevisits } from './discovery-simulation.ts'

const archive = archiveOf(generateModelWeb({ seed: 4, pages: 500, weeks: 8 }))
const site = discoverySite(archive)
const addressOf = (page: number) => canonicalUrl(site.urlOf(page))!
const BUDGET = 80

/** Addresses that others moved to: the real crawl also finds them by the redirects, the shortcut only by links. */
const movedTo = new Set(
  Array.from({ length: archive.versionCount }, (_, version) => archive.redirectOf(version))
    .filter((target) => target !== undefined)
    .map((target) => canonicalUrl(target)!),
)

/** The same revisits by the real crawl, which follows the links they show to pages it does not hold. */
async function foundByCrawl(chosen: readonly (readonly number[])[]) {
  const crawl = new WorldCrawl({ archive, week: 0, log: [], seed: 1, seeksSitemaps: false })
  const foundAt = new Map<string, number>()
  const fetch = async (urls: readonly string[], week: number) => {
    const { frontier } = crawl.state
    const shown: string[] = []
    for (const { outcome } of await crawl.visit(urls)) {
      // An address that redirects is there: the recording has it as a page.
      if (outcome.kind !== 'page' && outcome.kind !== 'redirect') continue
      if (!foundAt.has(outcome.url)) foundAt.set(outcome.url, week)
      for (const target of frontier.links.rowOf(outcome.id).targets)
        shown.push(frontier.urls.urlOf(target))
    }
    return [...new Set(shown)].filter((url) => !foundAt.has(url))
  }
  const first = Array.from(site.versionsAt[0].keys()).filter(
    (page) => site.versionsAt[0][page] >= 0,
  )
  await fetch(first.map(addressOf), 0)
  for (const [week, pages] of chosen.entries()) {
    if (week === 0) continue
    crawl.goTo(week)
    const tried = new Set<string>()
    let next = await fetch(pages.map(addressOf), week)
    while (next.length > 0) {
      for (const url of next) tried.add(url)
      next = (await fetch(next, week)).filter((url) => !tried.has(url))
    }
  }
  return foundAt
}

test.each<[string, RevisitingWay, leastByRedirects: number]>([
  ['yield', byYield(), 1],
  ['uniform', byBidder(uniformRefresh), 0],
])(
  'revisits by %s find what the real crawl finds by the same fetches, and when; by redirects it may find more, and sooner',
  async (_, way, leastByRedirects) => {
    const chosen: number[][] = [[]]
    const watched: RevisitingWay = (crawler) => {
      const revisiting = way(crawler)
      const choose: typeof revisiting.choose = (snapshot, budget) => {
        chosen.push(Array.from(revisiting.choose(snapshot, budget)))
        return chosen[snapshot]
      }
      return { ...revisiting, choose }
    }
    const { foundAt } = simulateRevisits(site, watched, () => BUDGET)
    const byCrawl = await foundByCrawl(chosen)
    const found = new Map(
      Array.from(foundAt.entries())
        .filter(([, week]) => week >= 0)
        .map(([page, week]) => [addressOf(page), week]),
    )
    const unmoved = (all: ReadonlyMap<string, number>) =>
      new Map([...all].filter(([url]) => !movedTo.has(url)))
    expect([...unmoved(found).values()].filter((week) => week > 0).length).toBeGreaterThan(10)
    expect(unmoved(found)).toEqual(unmoved(byCrawl))
    for (const [url, week] of found) expect(byCrawl.get(url)).toBeLessThanOrEqual(week)
    const sooner = [...byCrawl].filter(([url, week]) => week < (found.get(url) ?? Infinity))
    expect(sooner.length).toBeGreaterThanOrEqual(leastByRedirects)
  },
)
