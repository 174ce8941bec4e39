import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { engineGains } from '#learn/text-index/engine-gains.ts'
import { OpenSearchClient } from '#library/opensearch/opensearch-client.ts'
import { openSearchEngine } from '#library/opensearch/opensearch-engine.ts'
import type { PageRow } from '#library/push/page-row.ts'
import { openSearchAddress } from '#library/settings/push-address.ts'
import { seededRandom } from '#numeric/random.ts'
import { ownEngine } from '#search/engine/own-engine.ts'
import type { SearchEngine } from '#search/engine/search-engine.ts'
import { defaultAnalyser, defaultScoring } from '#search/full-text/default-search.ts'
import { bm25 } from '#search/full-text/scoring.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import { powerVisibility } from '#search/gain/visibility.ts'
import { analyser } from '#search/text/analysis.ts'
import { benchmark, mustHold } from './harness/benchmark.ts'
import { rounded } from './harness/cost.ts'
import { inFolder } from './harness/in-folder.ts'
import { runForager } from './harness/run-program.ts'
import { RealServer } from './opensearch/real-server.ts'

/** As the issue wants it: gains by both engines go together, and a crawl by one is as good as by the other. */
const LEAST_CORRELATION = 0.99
const MOST_LOSS = 0.02
const PAGES_A_CYCLE = 50
const DEPTH = 128
const PLAIN = analyser({ stemming: false })
/** As Lucene scores by default. */
const LUCENE = bm25({
  ...{ k1: 1.2, fieldWeights: [0, 0, 0, 1], lengthShares: [0, 0, 0, 0.75] },
  coverage: () => 1,
})

interface Asked {
  readonly text: string
  readonly weight: number
}

export default benchmark({
  about:
    'A real OpenSearch server beside our own index: gains, reordered writes, and crawls that each of them steers',
  flags: { pages: 2_000, share: 20, seed: 7 },
  run: ({ pages, share, seed }) =>
    inFolder(async (folder) => {
      const server = await RealServer.make(folder)
      await server.start()
      try {
        const web = await makeWeb(folder, pages, seed)
        const address = (index: string) => `opensearch://127.0.0.1:${server.port}/${index}`
        console.error('measuring the same gains by both …')
        const gains = await compareGains(address('gains?fields=text'), web)
        console.error('writing in another order, and twice …')
        const reordered = await reorder(address('reordered'), web.pages, seed)
        console.error('crawling by each …')
        const steered = await steer(folder, server, web, Math.round((pages * share) / 100))
        const isGood =
          gains.correlation >= LEAST_CORRELATION && reordered.isSame && steered.loss <= MOST_LOSS
        return { ok: mustHold(isGood), gains, reordered, steered }
      } finally {
        await server.kill()
      }
    }),
})

type Web = Awaited<ReturnType<typeof makeWeb>>

/** A model web with its queries, and all pages of it as a crawl finds them. */
async function makeWeb(folder: string, pages: number, seed: number) {
  const archive = join(folder, 'web')
  await runForager('lab', 'generate', '--pages', pages, '--seed', seed, '--out', archive, '--json')
  const lines = gunzipSync(readFileSync(join(archive, 'queries.tsv.gz')))
    .toString()
    .split('\n')
  const queries: Asked[] = lines.slice(1).flatMap((line) => {
    const [, text, weight] = line.split('\t')
    return text ? { text, weight: Number(weight) } : []
  })
  const log = join(folder, 'queries.csv')
  writeFileSync(
    log,
    `query,count\n${queries.map(({ text, weight }) => `${text},${weight}`).join('\n')}\n`,
  )
  const all = join(folder, 'all')
  await runForager(
    'crawl',
    '--archive',
    archive,
    '--dir',
    all,
    '--policy',
    'bfs',
    '--budget',
    5 * pages,
    '--json',
  )
  return { archive, log, queries, pages: await pagesOf(all) }
}

async function pagesOf(dir: string): Promise<PageRow[]> {
  const out = `${dir}-pages`
  await runForager('export', 'pages', '--dir', dir, '--state', 'page', '--out', out, '--json')
  const lines = readFileSync(join(out, 'part-000001.jsonl'), 'utf8').split('\n')
  return lines.flatMap((line) => (line === '' ? [] : JSON.parse(line)))
}

function enginePages(rows: readonly PageRow[]) {
  return rows.map(({ url, since, title = '', text }, id) => ({
    ...{ id, url, at: Date.parse(since) / 1000, title: title ?? '', text: text ?? '' },
  }))
}

function engineAt(address: string, rows: readonly PageRow[]): SearchEngine {
  const numbers = new Map(rows.map(({ url }, id) => [url, id]))
  const client = new OpenSearchClient(openSearchAddress(address)!)
  return openSearchEngine(client, {
    urlOf: (page) => rows[page].url,
    numberOf: (url) => numbers.get(url),
  })
}

/** Cycle by cycle what each page gains, by BM25 of one field in both. */
async function compareGains(address: string, { pages, queries }: Web) {
  const plain = queries.map(({ text, weight }) => ({
    text: PLAIN.queryTerms(text).join(' '),
    weight,
  }))
  const engines = [engineAt(address, pages), ownEngine(new TextIndex(PLAIN), LUCENE)]
  const gains: number[][] = [[], []]
  const all = enginePages(pages)
  for (let first = 0; first < all.length; first += PAGES_A_CYCLE) {
    const fetches = all.slice(first, first + PAGES_A_CYCLE).map(({ id, url, at, title, text }) => ({
      ...{
        outcome: { kind: 'page', id, url, at, page: { form: 'page', title, text } },
        changed: true,
      },
    })) as never
    for (const [i, engine] of engines.entries())
      gains[i].push(...(await engineGains(engine, plain, fetches)).values())
  }
  return { pages: all.length, queries: plain.length, correlation: correlation(gains[0], gains[1]) }
}

/** Two versions of each page, sent in any order and some twice: the later one must be there. */
async function reorder(address: string, rows: readonly PageRow[], seed: number) {
  const random = seededRandom(seed)
  const client = new OpenSearchClient(openSearchAddress(address)!)
  const writes = rows.slice(0, 300).flatMap(({ url }, i) =>
    [1, 2, 3].map((version) => ({
      ...{ url, version },
      ...((version < 3 || i % 3 > 0) && { document: { url, text: `version ${version}` } }),
    })),
  )
  const sent = [...writes, ...writes].map((write) => ({ write, chance: random.next() }))
  sent.sort((a, b) => a.chance - b.chance)
  for (let first = 0; first < sent.length; first += 70)
    await client.write(sent.slice(first, first + 70).map(({ write }) => write))
  await client.refresh()
  const held = new Map<unknown, unknown>()
  for await (const { _source } of client.scroll(openSearchAddress(address)!.index))
    held.set(_source.url, _source.text)
  const isSame = rows
    .slice(0, 300)
    .every(({ url }, i) => held.get(url) === (i % 3 > 0 ? 'version 3' : undefined))
  return { writes: sent.length, isSame }
}

/** What share of the quality that all pages give a crawl reaches, by the engine that steered it. The server is killed amid its crawl. */
async function steer(
  folder: string,
  server: RealServer,
  { archive, log, pages, queries }: Web,
  budget: number,
) {
  const crawl = async (name: string, ...more: string[]) => {
    const dir = join(folder, name)
    await runForager('queries', 'import', log, '--format', 'csv', '--dir', dir, '--json')
    await runForager(
      'crawl',
      '--archive',
      archive,
      '--dir',
      dir,
      '--budget',
      budget,
      '--json',
      ...more,
    )
    return pagesOf(dir)
  }
  const byOwn = await crawl('own')
  const address = `opensearch://127.0.0.1:${server.port}/steered`
  const restart = (async () => {
    while (!(await fetch(`http://127.0.0.1:${server.port}/steered/_count`)).ok)
      await new Promise((resolve) => setTimeout(resolve, 200))
    await new Promise((resolve) => setTimeout(resolve, 5_000))
    await server.kill()
    await server.start()
  })()
  const [byOther] = await Promise.all([crawl('other', '--search-engine', address), restart])
  const own = async (rows: readonly PageRow[]) => {
    const engine = ownEngine(new TextIndex(defaultAnalyser), defaultScoring)
    return qualityOf(engine, rows, queries)
  }
  let index = 0
  const other = (rows: readonly PageRow[]) =>
    qualityOf(
      engineAt(`opensearch://127.0.0.1:${server.port}/judge-${index++}`, rows),
      rows,
      queries,
    )
  const ownShare = (await own(byOwn)) / (await own(pages))
  const otherShare = (await other(byOther)) / (await other(pages))
  const [ofOthers, ofOwns] = [
    (await own(byOther)) / (await own(pages)),
    (await other(byOwn)) / (await other(pages)),
  ]
  return {
    ...{ budget, ownByOwn: rounded(ownShare), otherByOther: rounded(otherShare) },
    ...{ otherByOwn: rounded(ofOthers), ownByOther: rounded(ofOwns) },
    // Each by its own scores, as a share of what all pages would give by them.
    loss: rounded(1 - otherShare / ownShare),
  }
}

/** Score × visibility, mean over searches. */
async function qualityOf(
  engine: SearchEngine,
  rows: readonly PageRow[],
  queries: readonly Asked[],
) {
  await engine.keep(enginePages(rows))
  const curves = await engine.curvesOf(
    queries.map(({ text }) => text),
    DEPTH,
  )
  const total = queries.reduce((sum, { weight }) => sum + weight, 0)
  return queries.reduce((sum, { weight }, query) => {
    const quality = curves[query].reduce(
      (all, { score }, i) => all + score * powerVisibility(i + 1),
      0,
    )
    return sum + (weight / total) * quality
  }, 0)
}

function correlation(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, x) => sum + x, 0) / values.length
  const [meanA, meanB] = [mean(a), mean(b)]
  const dot = (x: readonly number[], y: readonly number[], mx: number, my: number) =>
    x.reduce((sum, value, i) => sum + (value - mx) * (y[i] - my), 0)
  return dot(a, b, meanA, meanB) / Math.sqrt(dot(a, a, meanA, meanA) * dot(b, b, meanB, meanB))
}
