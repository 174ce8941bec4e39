import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { type Learnt, learnFrom } from '#crawl/learn.ts'
import { learnFound } from '#crawl/learn-links.ts'
import { releaseDuplicates } from '#crawl/originals.ts'
import type { FetchOutcome } from '#crawl/outcome.ts'
import type { Frontier } from '#frontier/frontier.ts'
import { CrawlStore } from './crawl-store.ts'

const PATHS = ['a', 'b', 'c', 'd', 'e', 'f']
const DAY = 86_400
const text = (seed: number) =>
  Array.from({ length: 60 }, (_, i) => `w${(i * 7919 + seed * 104_729) % 5003}`).join(' ')

/** What a URL may bring; addresses are paths of its site, and every site has words of its own. */
const PAGES = [
  { words: 1 },
  { words: 2 },
  { words: 1, noindex: true },
  { words: 3, canonical: 'b' },
  { words: 1, canonical: 'e' },
  { words: 0, refreshTo: 'c' },
  { words: 1, unavailableAfter: 40 * DAY },
  { words: 2, form: 'feed' as const },
  { words: 5, leadsTo: ['a', 'f', 'g'] },
]
const OTHERS = [
  'gone',
  'redirect',
  'denied',
  'unreadable',
  'disallowed',
  'failed',
  'later',
] as const

/** A page by its number, or no page by its kind. */
type Found = number | (typeof OTHERS)[number]

function outcomeOf(site: number, path: number, found: Found, at: number): FetchOutcome {
  const urlOf = (name: string) => `https://s${site}.org/${name}`
  const url = urlOf(PATHS[path])
  const attempt = { id: site * PATHS.length + path, url, at, ms: 1, bytes: 1 }
  if (found === 'later')
    return { kind: 'failed', ...attempt, reason: '', sent: false, retryAfterSeconds: DAY }
  if (found === 'failed') return { kind: 'failed', ...attempt, reason: '', sent: true }
  if (typeof found !== 'number')
    return { kind: found, ...attempt, status: 400, target: url, rule: '', reason: '' } as never
  const { words, canonical, refreshTo, leadsTo = [], ...more } = PAGES[found]
  const hash = `${found}`.padEnd(16, 'a')
  return {
    ...{ kind: 'page', ...attempt, status: 200, contentHash: hash, etag: hash },
    page: {
      ...{ form: 'page', title: 'T', noindex: false, nofollow: false, ...more },
      links: leadsTo.map((name) => ({ url: urlOf(name), anchor: name, rel: 0 })),
      text: words === 0 ? `moved ${site}` : text(10 * site + words),
      ...(canonical !== undefined && { canonical: urlOf(canonical) }),
      ...(refreshTo !== undefined && { refreshTo: urlOf(refreshTo) }),
    },
  }
}

function learnCycle(outcomes: readonly FetchOutcome[], frontier: Frontier): Learnt[] {
  const anywhere = () => undefined
  const learnt = outcomes.map((outcome) => learnFrom(outcome, frontier, anywhere))
  learnFound(outcomes, frontier, anywhere)
  releaseDuplicates(learnt, frontier)
  return learnt
}

function knownTo(frontier: Frontier, now: number) {
  const urls = Array.from({ length: frontier.size }, (_, url) => ({
    ...{ url, state: frontier.stateOf(url), retryAt: frontier.retryAtOf(url) },
    ...{ failures: frontier.failuresOf(url), lastVisit: frontier.lastVisitOf(url) },
    ...{ original: frontier.duplicates.notedOriginal(url), isLost: frontier.isLost(url) },
    ...{ validators: frontier.validators.of(url), until: frontier.unavailableAfter.get(url) },
    ...{ links: [...frontier.links.targetsOf(url)], inLinks: frontier.inLinksOf(url) },
  }))
  const { pages } = frontier.refreshFacts(now)
  return { urls, pages, open: frontier.unfetched(now), looks: frontier.secondLooks(now) }
}

const someFetches = fc.uniqueArray(
  fc.tuple(
    fc.nat({ max: PATHS.length - 1 }),
    fc.oneof(
      { weight: 3, arbitrary: fc.nat({ max: PAGES.length - 1 }) },
      { weight: 2, arbitrary: fc.constantFrom(...OTHERS) },
    ),
  ),
  { selector: ([path]) => path },
)

const CYCLES = 12
/** Many small sites side by side: one directory for each would take long. */
const sites = fc.array(fc.array(someFetches, { minLength: CYCLES, maxLength: CYCLES }), {
  ...{ minLength: 200, maxLength: 200 },
})

test('a crawl read back knows what one that never stopped does, and learns the same', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'forager-load-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const store = await CrawlStore.open(dir)
  onTestFinished(() => store.close())
  const { frontier } = await store.load()
  const [found] = fc.sample(sites, { numRuns: 1, seed: 7 })
  for (const site of found.keys())
    for (const path of PATHS) frontier.add(`https://s${site}.org/${path}`, 'seed', 0, 1)
  const outcomesOf = (cycle: number, at: number) =>
    found.flatMap((cycles, site) =>
      cycles[cycle].map(([path, it], i) => outcomeOf(site, path, it, at + i)),
    )
  for (let cycle = 1; cycle < CYCLES; cycle++) {
    const at = 10 * DAY * cycle
    const learnt = learnCycle(outcomesOf(cycle, at), frontier)
    const record = { cycle, startedAt: at, endedAt: at, planned: learnt.length }
    const plan = { purpose: 'acquire', predictedGain: 0 } as const
    await store.commit({ ...record, fetches: learnt.map((it) => ({ ...it, ...plan })) }, frontier)
    const { frontier: loaded } = await store.load()
    expect(knownTo(loaded, at + DAY)).toEqual(knownTo(frontier, at + DAY))
    const outcomes = outcomesOf(0, at + DAY)
    if (cycle === CYCLES - 1)
      expect(learnCycle(outcomes, loaded)).toEqual(learnCycle(outcomes, frontier))
  }
})
