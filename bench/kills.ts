import { killCrawl } from '../test/kill-crawl.ts'
import { benchmark, mustHold } from './harness/benchmark.ts'
import { inFolder } from './harness/in-folder.ts'

export default benchmark({
  about: 'Kills a crawl again and again (-9) at random moments; ok if nothing came of it',
  flags: { kills: 30, budget: 3_000, batch: 100, seed: 7, workers: 3 },
  async run(flags) {
    const { kills, budget } = flags
    let killed = 0
    const onKill = (finished: number) =>
      console.error(`kill ${++killed} of ${kills}: ${finished} fetches finished`)
    const crawl = await inFolder((dir) => killCrawl({ policy: 'pagerank', dir, ...flags, onKill }))
    const { warc, finished, spent } = crawl
    const faults = {
      lost: crawl.lost.length,
      loggedTwice: crawl.loggedTwice.length,
      repeated: crawl.repeated.length,
      overBudget: spent - budget,
      withoutWarcRecord: warc.missing.length,
      misplacedInWarc: warc.misplaced.length,
    }
    const isWhole = Object.values(faults).every((count) => count === 0)
    const ok = mustHold(crawl.end === 'budget spent' && isWhole)
    const again = { fetched: crawl.requests - finished, recorded: warc.spare }
    const files = { files: warc.files, records: warc.records }
    return { ok, kills, budget, spent, finished, faults, again, warc: files }
  },
})
