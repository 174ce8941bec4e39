import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readArchive } from '#archive/format/read-archive.ts'
import { writeArchive } from '#archive/format/write-archive.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { corpusGraph } from '#lab/corpus-graph.ts'
import { measure, rounded } from './cost.ts'
import { runProgram } from './crawl-process.ts'
import { numberFlags } from './flags.ts'
import { drawLabArchive } from './lab-archive.ts'

const FORAGER = join(import.meta.dirname, '..', 'bin', 'forager.js')
const LIMIT_SECONDS = 600
const LIMIT_MB = 8192

/** Runs `lab run selection` with all its usual selections on a large web, as a process of its own. */
export async function run(args: string[]): Promise<object> {
  const defaults = { pages: 1_000_000, links: 20_000_000, queries: 2_000, seed: 7 }
  const sizes = numberFlags(args, defaults)
  const folder = mkdtempSync(join(tmpdir(), 'forager-bench-'))
  try {
    const archive = join(folder, 'archive')
    await measure('write the archive', () => writeArchive(archive, drawLabArchive(sizes)))
    const { pages, links } = (await measure('count its links', () => countLinks(archive))).result
    console.error(`${pages} pages reached, ${links} distinct links`)
    const command = ['lab', 'run', 'selection', '--archive', archive, '--json']
    const { result, cpuSeconds, rssMb, wallSeconds } = await runProgram(FORAGER, command)
    const rows = result.rows as { readonly policy: string }[]
    return {
      benchmark: 'lab',
      pages,
      links,
      policies: new Set(rows.map(({ policy }) => policy)).size,
      wallSeconds: rounded(wallSeconds),
      cpuSeconds: rounded(cpuSeconds),
      peakRssMB: rssMb,
      limitSeconds: LIMIT_SECONDS,
      limitMB: LIMIT_MB,
      isWithin: wallSeconds <= LIMIT_SECONDS && rssMb <= LIMIT_MB,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What the lab's own crawl finds in the archive as it was written. */
async function countLinks(dir: string): Promise<{ pages: number; links: number }> {
  const web = new RecordedWeb(await readArchive(dir, { text: false }), 0)
  const { facts } = corpusGraph(web, { seed: 1 })
  return { pages: facts.visits.length, links: facts.links.targets.length }
}
