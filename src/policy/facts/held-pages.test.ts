import { expect, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import type { PageOutcome } from '#learn/entries/outcome.ts'
import { Lessons } from '#learn/lessons.ts'
import { learnFrom } from '#learn/pages/learn-from.ts'
import { type Link, REL_SITEMAP } from '#parse/page/page.ts'
import { textFingerprint } from '#parse/text/text-fingerprint.ts'
import { claimsOf } from './held-pages.ts'

const DAY = 86_400

/** A site of ten pages, crawled each day after its sitemap, which dates all of them; `changes` says whether they changed. */
function crawled(
  site: string,
  frontier: Frontier,
  changes: (page: number, day: number) => boolean,
) {
  const map = frontier.add(`${site}/map.xml`, 'robots', 1, 1)
  const urls = Array.from({ length: 10 }, (_, i) => `${site}/${i}`)
  const fetched = (id: number, at: number, text: string, links: Link[] = []) => {
    const form = links.length > 0 ? ('sitemap' as const) : ('page' as const)
    const page = { form, title: '', text, links, noindex: links.length > 0, nofollow: false }
    const contentHash = textFingerprint(`${text} ${at}`)
    const answer = { kind: 'page', status: 200, bytes: 1, ms: 1 } as const
    const outcome: PageOutcome = {
      ...answer,
      id,
      url: frontier.urls.urlOf(id),
      at,
      page,
      contentHash,
    }
    learnFrom(outcome, frontier, () => undefined)
  }
  for (let day = 1; day <= 8; day++) {
    // Every second page is said to have changed half a day ago, in turns.
    const links = urls.map((url, i) => ({
      ...{ url, anchor: '', rel: REL_SITEMAP },
      lastModified: (i + day) % 2 === 0 ? (day - 0.5) * DAY : DAY / 4,
    }))
    fetched(map, day * DAY, '', links)
    if (day === 8) break // of the last claims nothing is known yet
    urls.forEach((url, i) => {
      const latest = [...Array(day).keys()].findLast((d) => changes(i, d + 1)) ?? 0
      const text = Array.from({ length: 30 }, (_, word) => `${site}w${word}x${latest}p${i}`).join(
        ' ',
      )
      fetched(frontier.add(url, 'link', 1, 1), (day + 0.1) * DAY, text)
    })
  }
  return urls.map((url) => frontier.urls.find(url)!)
}

test('what a site says of changes counts as far as it proved true', () => {
  const frontier = new Frontier()
  const honest = crawled('https://honest.org', frontier, (page, day) => (page + day) % 2 === 0)
  const liar = crawled('https://liar.org', frontier, (page) => page < 5)
  const factors = (pages: number[]) =>
    claimsOf(new Lessons(frontier), Uint32Array.from(pages)).oddsFactors
  const [claimed, silent] = factors([honest[0], honest[1]])
  expect(claimed).toBeGreaterThan(5)
  expect(silent).toBeLessThan(0.2)
  for (const factor of factors(liar)) expect(Math.abs(Math.log(factor))).toBeLessThan(1)
})
