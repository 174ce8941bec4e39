import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { startReplayServer } from '#app/server/replay-server.ts'
import { readArchive } from '#archive/format/read-archive.ts'
import { benchmark, mustHold } from './harness/benchmark.ts'
import { rounded } from './harness/cost.ts'
import { inFolder } from './harness/in-folder.ts'
import { CRAWLEE_ORDER, installPeers } from './harness/peers.ts'
import { runForager, runProgram } from './harness/run-program.ts'

const TOP = 10

export default benchmark({
  about:
    'Crawlee with its own handlers on a served model web, in its own order and in ours: answer quality at equal fetches',
  flags: { pages: 2_000, share: 20, seed: 7 },
  run: ({ pages, share, seed }) =>
    inFolder(async (folder) => {
      installPeers()
      const web = join(folder, 'web')
      await runForager('lab', 'generate', '--pages', pages, '--seed', seed, '--out', web, '--json')
      const archive = await readArchive(web)
      const server = await startReplayServer({
        ...{ archive, port: 0, from: archive.snapshotCount - 1, speed: 0 },
      })
      const budget = Math.round((pages * share) / 100)
      const seeds = JSON.stringify(archive.site.start)
      const crawl = async (...dir: string[]) => {
        const { result } = await runProgram(CRAWLEE_ORDER, [seeds, server.port, budget, ...dir])
        return result as { fetches: number; pages: string[] }
      }
      try {
        const own = await crawl()
        const dir = join(folder, 'crawl')
        await importQueries(web, dir)
        const ours = await crawl(dir)
        const quality = judge(web)
        const [ofOwn, ofOurs] = [quality(own.pages), quality(ours.pages)]
        return {
          ok: mustHold(ofOurs > ofOwn),
          ...{
            budget,
            own: { fetches: own.fetches, pages: own.pages.length, quality: rounded(ofOwn) },
          },
          ours: { fetches: ours.fetches, pages: ours.pages.length, quality: rounded(ofOurs) },
        }
      } finally {
        await server.close()
      }
    }),
})

function rowsOf(web: string, file: string): string[][] {
  const lines = gunzipSync(readFileSync(join(web, file)))
    .toString()
    .trimEnd()
    .split('\n')
  return lines.slice(1).map((line) => line.split('\t'))
}

async function importQueries(web: string, dir: string): Promise<void> {
  const log = `${dir}.csv`
  const lines = rowsOf(web, 'queries.tsv.gz').map(([, text, weight]) => `${text},${weight}`)
  writeFileSync(log, `query,count\n${lines.join('\n')}\n`)
  await runForager('queries', 'import', log, '--format', 'csv', '--dir', dir, '--json')
}

/** The best NDCG that any ranking could reach with the pages there are, mean over searches: by judgments, so by no engine. */
function judge(web: string): (pages: readonly string[]) => number {
  const weights = new Map(
    rowsOf(web, 'queries.tsv.gz').map(([id, , weight]) => [id, Number(weight)]),
  )
  const grades = Map.groupBy(rowsOf(web, 'qrels.tsv.gz'), ([query]) => query)
  const gainOf = (judged: readonly string[][]) => {
    const best = judged.map(([, , grade]) => 2 ** Number(grade) - 1).sort((a, b) => b - a)
    return best.slice(0, TOP).reduce((sum, gain, i) => sum + gain / Math.log2(i + 2), 0)
  }
  return (pages) => {
    const held = new Set(pages.map((url) => new URL(url).href))
    let [sum, total] = [0, 0]
    for (const [query, judged] of grades) {
      const ideal = gainOf(judged)
      if (ideal === 0) continue
      const weight = weights.get(query) ?? 0
      total += weight
      sum += (weight * gainOf(judged.filter(([, url]) => held.has(new URL(url).href)))) / ideal
    }
    return sum / total
  }
}
