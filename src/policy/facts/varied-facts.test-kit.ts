import { Frontier } from '#frontier/frontier.ts'
import type { GraphFacts } from '#frontier/graph-facts.ts'
import { ChangeHistory } from '#learn/change-history.ts'
import { GainHistory } from '#learn/gain-history.ts'
import { Lessons } from '#learn/lessons.ts'
import { ShareBook } from '#learn/yields/share-book.ts'
import { seededRandom } from '#numeric/random.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import { AddressShapes } from './address-shapes.ts'
import { crawlFacts } from './crawl-facts.ts'
import { type Facts, someFacts } from './facts.ts'
import { variedGraphFacts } from './graph-facts.test-kit.ts'
import { QueryKnowledge } from './query-knowledge.ts'
import { NO_VIEWS, viewsOfAnswers } from './views.ts'

const DAY = 86_400
const SUBJECTS = ['red kite', 'blue kite', 'kite string', 'red otter', 'otter food', 'sea otter']
const QUERIES = SUBJECTS.map((text, i) => ({ text, weight: i + 1 }))

/** A link graph, where nothing was ever fetched twice and nobody asks anything. */
export function factsOfGraph(graph: GraphFacts): Facts {
  const urls = graph.domains.length
  const none = new Uint32Array(0)
  return someFacts({
    ...graph,
    ...{ now: 9 * DAY, budget: 5, fetchesPerDay: 1 },
    addresses: { of: (url) => `https://a.org/${url}` },
    anchors: { of: () => [] },
    classes: new Uint32Array(urls),
    sections: new Uint32Array(urls),
    addressLengths: new Uint16Array(urls),
    ...{ pages: none, ages: new Float64Array(0), views: new Float64Array(0) },
    ...{ copies: undefined, scorePerView: undefined, inLinks: none },
    changes: new ChangeHistory(),
    gains: new GainHistory(),
    ...{ claims: undefined, gone: undefined, asked: undefined, synthetic: undefined },
    yields: {
      held: new ShareBook().expectations(9, none, new Float64Array(0)),
      burstFactors: new Float64Array(0),
      firstLinks: new Float64Array(graph.candidates.length),
      shownOnce: 1,
    },
  })
}

interface CrawlSetup {
  readonly pages: number
  /** Weeks in which pages are fetched again. */
  readonly weeks: number
  readonly queries: 'log' | 'synthetic' | 'both' | 'none'
  readonly seed: number
}

/** A crawl of pages that link to each other, change, vanish and gain, with what it knows at its end. */
export function factsOfCrawl({ pages, weeks, queries, seed }: CrawlSetup): Facts {
  const random = seededRandom(seed)
  const frontier = new Frontier()
  const index = new TextIndex(defaultAnalyser)
  const lessons = new Lessons(frontier)
  const addressOf = (page: number) =>
    `https://${page % 3 === 0 ? 'kites' : 'otters'}.org/${page % 2 ? 'news' : 'old'}/${page}`
  const subjectOf = (page: number) => SUBJECTS[page % SUBJECTS.length]
  frontier.add(addressOf(0), 'seed', 0, DAY)
  const fetch = (page: number, at: number, isGone: boolean): void => {
    const url = frontier.urls.find(addressOf(page))!
    const before = frontier.size
    const next = isGone ? [] : [1, 2, 3].map((step) => page + step)
    frontier.replaceLinks(url, {
      targets: Uint32Array.from(next, (one) =>
        frontier.add(addressOf(one), 'link', Math.min(one, 9), at, url),
      ),
      anchors: Uint32Array.from(next, (one) => frontier.links.anchors.add(subjectOf(one))),
      rels: new Uint8Array(next.length),
    })
    frontier.visit(url, isGone ? { state: 'gone', at } : { state: 'page', at, contentKey: 1 })
    if (isGone) index.remove(url)
    else
      index.replace(url, {
        ...{ url: addressOf(page), title: subjectOf(page), anchors: [] },
        text: `${subjectOf(page)} ${page} ${random.below(9)}`,
      })
    lessons.learn({
      ...{ url, at, kind: isGone ? 'gone' : 'page', form: 'page' },
      contentChanged: random.next() < 0.5,
      ...{
        newUrls: frontier.size - before,
        inLinks: 1,
        gain: random.next() / 9,
        views: random.next(),
      },
      prediction: {
        acquire: random.next() / 9,
        refresh: random.next() / 9,
        links: random.below(4),
      },
    })
  }
  for (let page = 0; page < pages; page++) fetch(page, (1 + page / pages) * DAY, false)
  for (let week = 1; week <= weeks; week++)
    for (let page = 0; page < pages; page++) {
      const isHeld = frontier.stateOf(frontier.urls.find(addressOf(page))!) === 'page'
      if (isHeld && random.next() < 0.6)
        fetch(page, (1 + 7 * week + page / pages) * DAY, random.next() < 0.05)
    }
  const now = (9 + 7 * weeks) * DAY
  const knows = (kind: 'log' | 'synthetic') => queries === kind || queries === 'both'
  const source = {
    lessons,
    shapes: new AddressShapes(frontier.urls),
    ...(knows('log') && { asked: new QueryKnowledge(frontier, index, QUERIES) }),
    ...(knows('synthetic') && {
      synthetic: new QueryKnowledge(frontier, index, QUERIES, { isSynthetic: true }),
    }),
  }
  const candidates = frontier.unfetched(now)
  const moment = {
    now,
    seed,
    budget: 5,
    candidates,
    mayRefetch: (_: number, age: number) => age > DAY,
  }
  return crawlFacts(source, moment, ({ asked, synthetic }) => {
    const answered = asked ?? synthetic
    return answered ? viewsOfAnswers(answered) : NO_VIEWS
  })
}

/** Facts of all sorts, ordinary and extreme, by what is special about them. */
export function variedFacts(): Record<string, () => Facts> {
  return {
    ...Object.fromEntries(
      Object.entries(variedGraphFacts()).map(([kind, graph]) => [kind, () => factsOfGraph(graph)]),
    ),
    'a crawl of one page': () => factsOfCrawl({ pages: 1, weeks: 0, queries: 'none', seed: 1 }),
    'a young crawl with a log': () =>
      factsOfCrawl({ pages: 20, weeks: 0, queries: 'log', seed: 2 }),
    'an old crawl with a log': () =>
      factsOfCrawl({ pages: 120, weeks: 6, queries: 'log', seed: 3 }),
    'an old crawl with a small log': () =>
      factsOfCrawl({ pages: 90, weeks: 4, queries: 'both', seed: 4 }),
    'an old crawl without a log': () =>
      factsOfCrawl({ pages: 90, weeks: 4, queries: 'synthetic', seed: 5 }),
    'an old crawl without queries': () =>
      factsOfCrawl({ pages: 60, weeks: 3, queries: 'none', seed: 6 }),
  }
}
