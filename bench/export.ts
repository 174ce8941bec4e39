import { join } from 'node:path'
import { seededRandom } from '#numeric/random.ts'
import { askTables } from '#repository/database/ask-tables.test-kit.ts'
import { PageStore } from '#repository/text-index/page-store.ts'
import { benchmark, mustHold } from './harness/benchmark.ts'
import { rounded } from './harness/cost.ts'
import { inFolder } from './harness/in-folder.ts'
import { type ProgramRun, runForager, runProgram } from './harness/run-program.ts'
import { writeCrawlDir } from './webs/crawl-dir.ts'
import { MadeUpWords } from './webs/made-up-words.ts'

const PLAIN_COPY = join(import.meta.dirname, 'export', 'plain-copy.ts')
/** Of a crawl with twice as many pages, memory may be so many times as much. */
const MOST_GROWTH = 1.2
/** Of a crawl that is drawn with so many links, a bit less than a third of the URLs have been fetched. */
const URLS_A_PAGE = 3.5
const LINKS_A_URL = 5
/** Of eighty words each. */
const TEXTS_A_PAGE = 5
const PAGES_AT_ONCE = 64

export default benchmark({
  about:
    'Exports a large crawl in all formats: rows per CPU-second beside a plain COPY, and memory as the crawl grows',
  flags: { pages: 100_000, seed: 7 },
  run: async ({ pages, seed }) => {
    const half = await exportsOf(pages / 2, seed)
    const whole = await exportsOf(pages, seed)
    const growth = rounded(mostMb(whole.exports) / mostMb(half.exports))
    return { ok: mustHold(growth <= MOST_GROWTH), growth, most: MOST_GROWTH, half, whole }
  },
})

type Exports = Record<string, ReturnType<typeof figures>>

function mostMb(exports: Exports): number {
  return Math.max(...Object.values(exports).map(({ rssMb }) => rssMb))
}

function exportsOf(pages: number, seed: number) {
  return inFolder(async (folder) => {
    const dir = join(folder, 'crawl')
    const urls = Math.ceil(URLS_A_PAGE * pages)
    const fetches = await writeCrawlDir(dir, { urls, links: LINKS_A_URL * urls, seed })
    if (fetches < pages) throw new Error(`a crawl of ${fetches} pages, fewer than ${pages}`)
    await writeTexts(dir, seed)
    const exports: Exports = {}
    for (const [what, format] of [
      ...[
        ['pages', 'jsonl'],
        ['pages', 'csv'],
        ['pages', 'parquet'],
      ],
      ...[
        ['links', 'jsonl'],
        ['links', 'parquet'],
        ['fetches', 'jsonl'],
        ['fetches', 'parquet'],
      ],
    ]) {
      console.error(`exporting ${what} as ${format} …`)
      const out = join(folder, `${what}-${format}`)
      exports[`${what} ${format}`] = figures(
        await runForager('export', what, '--dir', dir, '--format', format, '--out', out, '--json'),
      )
    }
    const peer = figures(await runProgram(PLAIN_COPY, [dir, join(folder, 'plain.json')]))
    const ofPeer = rounded(exports['fetches jsonl'].rowsPerCpuSecond / peer.rowsPerCpuSecond)
    return { fetches, exports, peer: { name: 'DuckDB COPY of fetch_log', ...peer }, ofPeer }
  })
}

function figures({ result, cpuSeconds, rssMb, wallSeconds }: ProgramRun) {
  const rows = Number(result.rows)
  return {
    rows,
    rowsPerCpuSecond: Math.round(rows / cpuSeconds),
    seconds: rounded(wallSeconds),
    rssMb,
  }
}

/** The texts of its pages, as an index keeps them. */
async function writeTexts(dir: string, seed: number): Promise<void> {
  const words = new MadeUpWords(0, seededRandom(seed))
  const rows = await askTables(dir, 'SELECT DISTINCT url_id FROM page ORDER BY url_id')
  const pages = rows.map(({ url_id }) => Number(url_id))
  const store = PageStore.open(dir)
  for (let first = 0; first < pages.length; first += PAGES_AT_ONCE)
    store.put(
      pages.slice(first, first + PAGES_AT_ONCE).map((page) => {
        const text = Array.from({ length: TEXTS_A_PAGE }, () => words.text()).join('\n')
        return [page, { url: '', title: 'A page', text, fetchedAt: 1_700_000_000 }] as const
      }),
    )
  store.close()
}
