import type { QueryStep, Unserved } from '#repository/reports/query-reports.ts'
import { TOP_RESULTS } from '#workload/improvability.ts'
import type { StoredQuery } from '#workload/workload.ts'
import {
  type AnsweredQuery,
  countWaitingPages,
  type NeedyRow,
  neediness,
  needyRows,
} from '../queries/needy-queries.ts'
import type { ShownAnswer } from '../search/search-results.ts'
import { biddingNow, type WantedPage } from './bidding-now.ts'
import type { WholeLook } from './watched-crawl.ts'

/** What searchers ask, and how they are served. */
export interface QueriesView {
  /** True where nobody's searches are known: queries are synthetic, from titles and links. */
  readonly synthetic: boolean
  /** Queries in all, and those that hold the text asked for. */
  readonly all: number
  readonly matching: number
  readonly queries: readonly ListedQuery[]
  /** Searches of our own page that came to nothing, and the queries that most of them asked. */
  readonly unserved: Unserved
  readonly mostUnserved: readonly (Unserved & { readonly query: string })[]
}

interface ListedQuery extends Omit<NeedyRow, 'waiting'> {
  /** Pages that wait to be fetched and speak of it; left out where there are too many to look through. */
  readonly waiting?: number
  /** Of all searches. */
  readonly share: number
  /** Pages among its first ten now. */
  readonly results: number
  /** They are as they are since then; left out where no cycle that watched it changed them. */
  readonly since?: number
}

/** One query: as searchers see it, what would change that, and what was done for it. */
export interface QueryView {
  readonly listed: ListedQuery
  readonly firstSeen?: number
  readonly lastSeen?: number
  readonly answer: ShownAnswer
  readonly history: readonly QueryStep[]
}

/** How a list of queries is ordered. */
export type QueryOrder = 'neediness' | 'weight' | 'score'

/** Rarer queries get no sketch in plans either. */
const MOST_QUERIES = 5_000
/** URLs whose words are looked through for queries in the moment a page is asked for. */
const MOST_LOOKED_THROUGH = 500_000
const UNSERVED_SHOWN = 10
const RESULTS_SHOWN = 10
const WANTED_SHOWN = 10

interface Asked {
  readonly synthetic: boolean
  readonly count: number
  readonly weight: number
  readonly needy: readonly AnsweredQuery<StoredQuery>[]
}

/** What people ask, or synthetic queries in its place. */
function knownQueries(look: WholeLook) {
  return look.once('known queries', async () => {
    const { store, now } = look.view.opened
    const real = await store.queries(now)
    const queries = real.length > 0 ? real : await store.madeUpQueries()
    const weight = queries.reduce((sum, query) => sum + query.weight, 0)
    return { synthetic: real.length === 0, queries, weight }
  })
}

/** Queries with what they need, once for each position of the log. */
function askedQueries(look: WholeLook): Promise<Asked> {
  return look.once('asked', async () => {
    const { synthetic, queries, weight } = await knownQueries(look)
    const needy = await needyOf(look, queries.slice(0, MOST_QUERIES))
    return { synthetic, count: queries.length, weight, needy }
  })
}

/** A search is made for each of them. */
async function needyOf(look: WholeLook, queries: readonly StoredQuery[]): Promise<Asked['needy']> {
  const { store, state } = look.view.opened
  if (!state.indexer) return []
  return neediness(queries, await store.reports.queries.progress(), state.indexer.index).needy
}

/** A stretch of the queries that hold a text, ordered as asked for. */
export async function queriesView(
  look: WholeLook,
  ask: {
    readonly text: string
    readonly order: QueryOrder
    readonly offset: number
    readonly limit: number
  },
): Promise<QueriesView> {
  const { queries: reports } = look.view.opened.store.reports
  const asked = await askedQueries(look)
  const matching = asked.needy.filter(({ query }) => query.text.includes(ask.text.toLowerCase()))
  const { offset, limit } = ask
  const some = ordered(matching, ask.order).slice(offset, offset + limit)
  return {
    ...{ synthetic: asked.synthetic, all: asked.count, matching: matching.length },
    queries: await look.once(`listed ${ask.order} ${offset} ${limit} ${ask.text}`, () =>
      listed(look, some, asked.weight),
    ),
    unserved: await look.once('unserved', () => reports.unserved()),
    mostUnserved: await look.once('most unserved', () => reports.mostUnserved(UNSERVED_SHOWN)),
  }
}

function ordered(all: Asked['needy'], order: QueryOrder): Asked['needy'] {
  if (order === 'weight') return all.toSorted((a, b) => b.query.weight - a.query.weight)
  if (order === 'score') return all.toSorted((a, b) => a.averageScore - b.averageScore)
  return all
}

async function listed(
  look: WholeLook,
  some: Asked['needy'],
  weight: number,
): Promise<ListedQuery[]> {
  const { store, state } = look.view.opened
  const waiting = some.length > 1 ? await waitingPages(look) : undefined
  const since = await look.once('since', () => store.reports.queries.lastChanged())
  const rows = await needyRows(some, store, state.frontier, () => [])
  return rows.map((row, i) => ({
    ...row,
    waiting: waiting?.get(row.query),
    share: weight > 0 ? row.weight / weight : 0,
    results: Math.min(TOP_RESULTS, some[i].results.length),
    since: since.get(row.query),
  }))
}

/** By query: pages that wait to be fetched and speak of it. All links are gone through for that, once. */
function waitingPages(look: WholeLook): Promise<ReadonlyMap<string, number> | undefined> {
  return look.once('waiting pages', async () => {
    const { state, now } = look.view.opened
    if (state.frontier.size > MOST_LOOKED_THROUGH) return undefined
    const texts = (await askedQueries(look)).needy.map(({ query }) => query.text)
    const counts = countWaitingPages(state.frontier, texts, now)
    return new Map(texts.map((text, i) => [text, counts[i]]))
  })
}

/** One query of the log; undefined if nobody asked it. */
export function queryView(look: WholeLook, text: string): Promise<QueryView | undefined> {
  return look.once(`query ${text}`, () => madeQueryView(look, text))
}

async function madeQueryView(look: WholeLook, text: string): Promise<QueryView | undefined> {
  const { queries, weight } = await knownQueries(look)
  const query = queries.find((one) => one.text === text)
  if (!query) return undefined
  const [found] = await needyOf(look, [query])
  if (!found) return undefined
  const [row] = await listed(look, [found], weight)
  const { firstSeen, lastSeen } = found.query
  return {
    ...{ listed: row, firstSeen, lastSeen },
    answer: look.view.search(text, { limit: RESULTS_SHOWN }),
    history: await look.view.opened.store.reports.queries.history(text),
  }
}

/** A query in need, and the page that would help it most. */
export interface Need {
  readonly query: ListedQuery
  readonly wanted?: WantedPage
}

/** The neediest queries, each with the page that it expects most of. It takes a plan. */
export async function greatestNeeds(look: WholeLook, atMost: number): Promise<Need[]> {
  const ask = { text: '', order: 'neediness', offset: 0, limit: atMost } as const
  const { queries } = await queriesView(look, ask)
  const { pagesFor } = await biddingNow(look)
  return queries.map((query) => ({ query, wanted: pagesFor(query.query, 1).at(0) }))
}

/** The pages that would change a query's results, those it expects most of first. It takes a plan. */
export async function wantedPages(look: WholeLook, text: string): Promise<WantedPage[]> {
  return (await biddingNow(look)).pagesFor(text, WANTED_SHOWN)
}
