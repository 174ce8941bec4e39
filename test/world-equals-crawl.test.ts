import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { readArchive } from '#archive/format/read-archive.ts'
import { writeArchive } from '#archive/format/write-archive.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { WorldCrawl } from '#lab/worlds/world-crawl.ts'
import { openCrawl } from '#library/crawl.ts'
import { importQueryList } from '#library/queries/import-log.ts'
import { firstOf } from '#numeric/cases.test-kit.ts'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import type { Query } from '#workload/workload.ts'

const folder = sharedFolder()
const web = join(folder, 'modelweb')
const records = generateModelWeb({ seed: 11, pages: 500, weeks: 3 })
beforeAll(() => writeArchive(web, records))

const WEEK = 2
const LOG = records
  .workload!.queries.map(({ id, text, weight }) => ({ id, text, weight: Math.ceil(weight) }))
  .sort((a, b) => b.weight - a.weight || (a.text < b.text ? -1 : 1))

/** What a user's crawl of the archive fetches, in a directory. */
async function fetchedByUser(policy: string, log: readonly Query[], budget: number) {
  const dir = join(folder, `${policy}-${log.length}`)
  if (log.length > 0) await importQueryList(dir, log)
  await using crawl = await openCrawl({ dir, archive: web, at: WEEK, policy, seed: 1 })
  const urls: string[] = []
  await crawl.run({ budget, on: { outcome: ({ url }) => urls.push(url) } })
  return urls
}

const TRIED: readonly (readonly [policy: string, log: typeof LOG])[] = [
  ['unified', LOG],
  ['bfs', LOG],
  ['unified', []],
  ['impact', LOG],
]

test.each(firstOf(1, TRIED))(
  '%s fetches in the lab what it fetches for a user, in the same order',
  async (policy, log) => {
    const archive = await readArchive(web)
    const crawl = new WorldCrawl({ archive, week: WEEK, log, seed: 1 })
    const fetched = (await crawl.spend(policy, 250)).map(({ outcome }) => outcome.url)
    expect(fetched.length).toBeGreaterThanOrEqual(250)
    expect(fetched).toEqual(await fetchedByUser(policy, log, 250))
  },
)
