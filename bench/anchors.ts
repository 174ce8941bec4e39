import { archiveOf } from '#archive/format/assemble-archive.ts'
import { readArchive } from '#archive/format/read-archive.ts'
import { readWorkload } from '#archive/format/read-workload.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { madeUpQueriesOfAllTimes } from '#lab/refresh/made-up-queries.ts'
import { crawlWeeks } from './anchors/crawl-weeks.ts'
import { WeeklyJudge } from './anchors/weekly-judge.ts'
import { benchmark } from './harness/benchmark.ts'

/** Weeks at whose end answers are judged, evenly spread. */
const JUDGED_WEEKS = 8

export default benchmark({
  about: 'What the words of links do for the pages they lead to, in a crawl of many weeks',
  flags: {
    ...{ archive: '', pages: 1_000, weeks: 30, seed: 31 },
    ...{ queries: 300, start: 100, budget: 10 },
  },
  async run({ archive: dir, pages, weeks, seed, queries: most, start, budget }) {
    const records = dir === '' ? generateModelWeb({ seed, pages, weeks }) : undefined
    const archive = records ? archiveOf(records) : await readArchive(dir)
    const { queries: logged } = records?.workload ?? (await readWorkload(dir))
    const isMadeUp = logged.length === 0
    const queries = (isMadeUp ? madeUpQueriesOfAllTimes(archive, most) : [...logged])
      .sort((a, b) => b.weight - a.weight)
      .slice(0, most)
    const end = Math.min(weeks, archive.snapshotCount)
    const judged = new Set(
      Array.from({ length: JUDGED_WEEKS }, (_, i) =>
        Math.round(((i + 1) * (end - 1)) / JUDGED_WEEKS),
      ),
    )
    const judge = new WeeklyJudge(archive, queries)
    const setup = { archive, queries, weeks: end, start: start / 100, budget: budget / 100, seed }
    const credited = await crawlWeeks({ ...setup, judge, judged, isCredited: true })
    const uncredited = await crawlWeeks({ ...setup, judge, judged, isCredited: false })
    return {
      ...{ archive: dir === '' ? `model web ${seed}` : dir, weeks: end, isMadeUp, start, budget },
      credited,
      uncredited,
    }
  },
})
