import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { rowOf } from '#numeric/csr.ts'
import { generateModelWeb } from '../model-web/generate.ts'
import { WorldCrawl } from '../worlds/world-crawl.ts'
import { corpusGraph } from './corpus-graph.ts'
import { Sandbox } from './sandbox.ts'

const archive = archiveOf(generateModelWeb({ seed: 3, pages: 500, weeks: 2 }))
const web = new RecordedWeb(archive, 1)
const EVERYTHING = 10_000

/** The URLs that each URL fetched links to, once the real crawl has fetched so many breadth-first. */
async function knownByCrawl(budget: number) {
  const told = { archive, week: 1, log: [], seed: 1, seeksSitemaps: false }
  const crawl = new WorldCrawl(told)
  const fetches = await crawl.spend('bfs', budget)
  const { urls, links } = crawl.state.frontier
  const rows = fetches.map(({ outcome: { id, url } }): [string, Set<string>] => {
    const targets = Array.from(links.rowOf(id).targets, (target) => urls.urlOf(target))
    return [url, new Set(targets.filter((target) => target !== url))]
  })
  return { rows: new Map(rows), known: Array.from({ length: urls.size }, (_, i) => urls.urlOf(i)) }
}

const shortcut = (base?: number) => {
  const { facts, urlOf } = corpusGraph(web, { seed: 1, base })
  const rows = Array.from(facts.visits, (url): [string, Set<string>] => [
    urlOf(url),
    new Set(Array.from(rowOf(facts.links, url), urlOf)),
  ])
  return { rows: new Map(rows), known: Array.from(facts.candidates, urlOf) }
}

test('of a whole web, the real crawl knows the graph that selections are made from', async () => {
  const [real, quick] = [await knownByCrawl(EVERYTHING), shortcut()]
  expect(quick.known.length).toBeGreaterThan(500)
  expect(new Set(quick.known)).toEqual(new Set(real.known))
  expect(quick.rows).toEqual(real.rows)
})

test('of a smaller base crawl, it knows the same links of the pages that both have', async () => {
  const [real, quick] = [await knownByCrawl(200), shortcut(200)]
  const both = [...quick.rows].filter(([url]) => real.rows.has(url))
  expect(both.length).toBeGreaterThan(100) // the real crawl does not give all it has to new hosts
  for (const [url, row] of both) expect(row, url).toEqual(real.rows.get(url))
})

test('a sandbox gives documents where the real crawl gets pages or redirects', async () => {
  const told = { archive, week: 1, log: [], seed: 1, seeksSitemaps: false }
  const fetches = await new WorldCrawl(told).spend('bfs', EVERYTHING)
  const sandbox = new Sandbox(web)
  const documents = Array.from(sandbox.breadthFirst(EVERYTHING), (url) => sandbox.urlOf(url))
  const gave = fetches.filter(({ outcome: { kind } }) => kind === 'page' || kind === 'redirect')
  expect(new Set(documents)).toEqual(new Set(gave.map(({ outcome }) => outcome.url)))
})
