import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killCrawl } from '../test/kill-crawl.ts'
import { numberFlags } from './flags.ts'

/** Kills a crawl again and again (-9) at random moments; `ok` if nothing came of it. */
export async function run(args: string[]): Promise<object> {
  const flags = { kills: 30, budget: 3_000, batch: 100, seed: 7 }
  const { kills, budget, batch, seed } = numberFlags(args, flags)
  const dir = mkdtempSync(join(tmpdir(), 'forager-bench-'))
  let killed = 0
  const onKill = (finished: number) =>
    console.error(`kill ${++killed} of ${kills}: ${finished} fetches finished`)
  try {
    const crawl = await killCrawl({ policy: 'pagerank', dir, kills, budget, batch, seed, onKill })
    const { warc } = crawl
    const faults = {
      lost: crawl.lost.length,
      loggedTwice: crawl.loggedTwice.length,
      repeated: crawl.repeated.length,
      overBudget: crawl.spent - budget,
      withoutWarcRecord: warc.missing.length,
      misplacedInWarc: warc.misplaced.length,
    }
    const ok = crawl.end === 'budget spent' && Object.values(faults).every((count) => count === 0)
    if (!ok) process.exitCode = 1
    const { finished, spent } = crawl
    const again = { fetched: crawl.requests - finished, recorded: warc.spare }
    const files = { files: warc.files, records: warc.records }
    return { benchmark: 'kills', ok, kills, budget, spent, finished, faults, again, warc: files }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
