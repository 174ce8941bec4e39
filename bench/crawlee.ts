import { join } from 'node:path'
import { startReplayServer } from '#app/server/replay-server.ts'
import { readArchive } from '#archive/format/read-archive.ts'
import { benchmark, mustHold } from './harness/benchmark.ts'
import { rounded } from './harness/cost.ts'
import { inFolder } from './harness/in-folder.ts'
import { CRAWLEE_ORDER, installPeers } from './harness/peers.ts'
import { runForager, runProgram } from './harness/run-program.ts'
import { importQueries, judge } from './webs/judged-web.ts'

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
