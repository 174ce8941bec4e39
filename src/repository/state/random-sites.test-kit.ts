import fc from 'fast-check'
import type { FetchOutcome } from '#learn/entries/outcome.ts'

/** The pages of every site. */
export const PATHS = ['a', 'b', 'c', 'd', 'e', 'f']
export const DAY = 86_400
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
  { words: 4, rendering: { state: 'shell' as const }, scriptNeed: 'shell' as const },
  { words: 6, rendering: { state: 'done' as const, cost: 5 }, leadsTo: ['b', 'h'] },
  { words: 4, rendering: { state: 'fruitless' as const, cost: 3 }, scriptNeed: 'shell' as const },
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
  const { words, canonical, refreshTo, leadsTo = [], rendering, ...more } = PAGES[found]
  const hash = `${found}`.padEnd(16, 'a')
  return {
    // A server may call the same content by another name each time.
    ...{ kind: 'page', ...attempt, status: 200, contentHash: hash, etag: `${hash}-${at % 3}` },
    ...(rendering && { rendering }),
    page: {
      ...{ form: 'page', title: 'T', noindex: false, nofollow: false, ...more },
      links: leadsTo.map((name) => ({ url: urlOf(name), anchor: name, rel: 0 })),
      text: words === 0 ? `moved ${site}` : text(10 * site + words),
      ...(canonical !== undefined && { canonical: urlOf(canonical) }),
      ...(refreshTo !== undefined && { refreshTo: urlOf(refreshTo) }),
    },
  }
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

export const CYCLES = 12
/** Many small sites side by side: one directory for each would take long. */
const sites = (count: number) =>
  fc.array(fc.array(someFetches, { minLength: CYCLES, maxLength: CYCLES }), {
    ...{ minLength: count, maxLength: count },
  })

/** What random sites bring in each cycle: pages, duplicates, errors, at times that go on. */
export function randomSites(
  seed: number,
  count = 200,
): {
  readonly count: number
  outcomesOf(cycle: number, at: number): FetchOutcome[]
} {
  const [found] = fc.sample(sites(count), { numRuns: 1, seed })
  return {
    count: found.length,
    outcomesOf: (cycle, at) =>
      found.flatMap((cycles, site) =>
        cycles[cycle].map(([path, it], i) => outcomeOf(site, path, it, at + i)),
      ),
  }
}
