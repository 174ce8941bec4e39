import { join } from 'node:path'
import { readArchive } from '#archive/format/read-archive.ts'
import { writeArchive } from '#archive/format/write-archive.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { corpusGraph } from '#lab/crawls/corpus-graph.ts'
import { benchmark } from './harness/benchmark.ts'
import { measure, rounded } from './harness/cost.ts'
import { inFolder } from './harness/in-folder.ts'
import { runForager } from './harness/run-program.ts'
import { drawLightArchive } from './webs/light-archive.ts'

const LIMIT_SECONDS = 600
const LIMIT_MB = 8192

export default benchmark({
  about: 'Runs `lab run selection` with all its usual selections on a large web',
  flags: { pages: 1_000_000, links: 20_000_000, queries: 2_000, seed: 7 },
  run: (sizes) =>
    inFolder(async (folder) => {
      const archive = join(folder, 'archive')
      await measure('write the archive', () => writeArchive(archive, drawLightArchive(sizes)))
      const { pages, links } = (await measure('count its links', () => countLinks(archive))).result
      console.error(`${pages} pages reached, ${links} distinct links`)
      const run = await runForager('lab', 'run', 'selection', '--archive', archive, '--json')
      const { result, cpuSeconds, rssMb, wallSeconds } = run
      const rows = result.rows as { readonly policy: string }[]
      return {
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
    }),
})

/** What the lab's own crawl finds in the archive as it was written. */
async function countLinks(dir: string): Promise<{ pages: number; links: number }> {
  const web = new RecordedWeb(await readArchive(dir, { text: false }), 0)
  const { facts } = corpusGraph(web, { seed: 1 })
  return { pages: facts.visits.length, links: facts.links.targets.length }
}
