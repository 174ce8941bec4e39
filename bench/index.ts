import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Archive } from '#archive/format/archive.ts'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { readArchive } from '#archive/format/read-archive.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { benchmark } from './harness/benchmark.ts'
import { rounded } from './harness/cost.ts'
import { inFolder } from './harness/in-folder.ts'
import { installPeers } from './harness/peers.ts'
import { runProgram } from './harness/run-program.ts'
import { writeCorpus } from './index/corpus.ts'

const ENGINE = join(import.meta.dirname, 'index', 'measure-engine.ts')
/** Real articles, where somebody has them. */
const ARTICLES = join(import.meta.dirname, '..', '..', 'shared', 'data', 'schools-wiki')

type Figures = Readonly<Record<string, number>>
interface Sizes {
  readonly documents: number
  readonly queries: number
  readonly replaced: number
  readonly seed: number
}

export default benchmark({
  about: 'Indexes, asks, replaces and loads again, with Forager, MiniSearch and SQLite’s FTS5',
  flags: { documents: 50_000, queries: 500, replaced: 1_000, seed: 7 },
  async run(sizes) {
    installPeers()
    // Some pages of a model web are redirects, or gone in its last week.
    const pages = Math.max(500, Math.ceil(sizes.documents * 1.05))
    const modelWeb = archiveOf(generateModelWeb({ seed: sizes.seed, pages, weeks: 2 }))
    const figures = await compare('model web', modelWeb, sizes)
    if (!existsSync(ARTICLES)) return figures
    return {
      ...figures,
      schoolsWiki: await compare('schools-wiki', await readArchive(ARTICLES), sizes),
    }
  },
})

function compare(name: string, archive: Archive, sizes: Sizes): Promise<object> {
  return inFolder(async (folder) => {
    const documents = await writeCorpus(folder, archive, sizes)
    console.error(`${name}: ${documents} documents, ${sizes.queries} queries of 1 to 3 words`)
    const forager = await measureEngine('forager', folder, sizes.replaced)
    const minisearch = await measureEngine('minisearch', folder, sizes.replaced)
    const fts5 = await measureEngine('fts5', folder, sizes.replaced)
    const indexRatio = rounded(forager.documentsPerCpuS / minisearch.documentsPerCpuS)
    const queryRatio = rounded(fts5.queryCpuMs / forager.queryCpuMs)
    return { documents, forager, minisearch, fts5, indexRatio, queryRatio }
  })
}

async function measureEngine(name: string, corpus: string, replaced: number): Promise<Figures> {
  const folder = join(corpus, name)
  mkdirSync(folder)
  const built = await runProgram(ENGINE, ['build', name, corpus, folder])
  const diskMb = bytesIn(folder) / 2 ** 20
  const used = await runProgram(ENGINE, ['use', name, corpus, folder, replaced])
  const figures = { ...built.result, diskMb, buildRssMb: built.rssMb, ...used.result }
  const entries = Object.entries(figures as Figures).map(([key, value]) => [key, rounded(value)])
  const result: Figures = Object.fromEntries(entries)
  console.error(`${name}: ${JSON.stringify(result)}`)
  return result
}

function bytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  return files
    .filter((file) => file.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
