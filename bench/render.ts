import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { openCrawl } from '#library/crawl.ts'
import { importQueryLogs } from '#library/queries/import-log.ts'
import { askTables } from '#repository/database/ask-tables.test-kit.ts'
import type { Query } from '#workload/workload.ts'
import { WeeklyJudge } from './anchors/weekly-judge.ts'
import { benchmark, mustHold } from './harness/benchmark.ts'
import { rounded } from './harness/cost.ts'
import { inFolder } from './harness/in-folder.ts'
import { serveScripted } from './render/scripted-web.ts'
import { simulate } from './render/simulate.ts'
import { qualityIn } from './service/weeks-web.ts'

/** Ways to treat pages that need their scripts. */
const WAYS = {
  nothing: {},
  everything: { render: true, renderAll: true },
  worthwhile: { render: true },
} as const
type Way = keyof typeof WAYS

export default benchmark({
  about:
    'Crawls model webs of which a third needs JavaScript, by HTTP and Chromium: rendering nothing, everything, or what is worth it, at the same cost. With --cost, without a browser: a rendering then costs that',
  flags: { pages: 500, budget: 1000, queries: 200, seed: 1, webs: 3, browser: '', cost: 0 },
  async run({ webs, seed, cost, ...flags }) {
    if (cost > 0) return simulated({ ...flags, webs, seed, cost })
    return inFolder(async (root) => {
      const trials: Awaited<ReturnType<typeof compare>>[] = []
      for (let web = 0; web < webs; web++) {
        const folder = join(root, `${web}`)
        mkdirSync(folder)
        const trial = await compare({ ...flags, folder, seed: seed + web })
        console.error(JSON.stringify(trial))
        trials.push(trial)
      }
      const mean = (way: Way) =>
        trials.reduce((sum, trial) => sum + trial[way].quality, 0) / trials.length
      const quality = Object.fromEntries(
        (Object.keys(WAYS) as Way[]).map((way) => [way, rounded(mean(way))]),
      )
      return { ok: mustHold(trials.every(({ ok }) => ok)), quality, trials }
    })
  },
})

/** Means over webs, and how much better than to render nothing: the mean, its standard error, and how often. */
async function simulated({ webs, seed: first, pages, queries: most, budget, cost }: Simulated) {
  const trials: ({ seed: number } & Awaited<ReturnType<typeof simulate>>)[] = []
  for (let seed = first; seed < first + webs; seed++) {
    const { archive, queries } = modelWeb(seed, pages, most)
    const trial = { seed, ...(await simulate({ archive, queries, seed, budget, cost })) }
    console.error(JSON.stringify(trial))
    trials.push(trial)
  }
  const meanOf = (values: readonly number[]) => values.reduce((sum, it) => sum + it, 0) / webs
  const [{ seed: _, ...ways }] = trials
  const means = Object.keys(ways).map((name) => {
    const way = name as keyof typeof ways
    const quality = rounded(meanOf(trials.map((trial) => trial[way].quality)))
    return [way, { quality, rendered: rounded(meanOf(trials.map((trial) => trial[way].rendered))) }]
  })
  const leads = trials.map(({ worthwhile, nothing }) => worthwhile.quality - nothing.quality)
  const lead = meanOf(leads)
  const variance = leads.reduce((sum, it) => sum + (it - lead) ** 2, 0) / (webs - 1)
  const error = rounded(Math.sqrt(variance / webs))
  const better = leads.filter((it) => it > 0).length
  return { cost, budget, webs, lead: rounded(lead), error, better, ...Object.fromEntries(means) }
}

function modelWeb(seed: number, pages: number, most: number) {
  const records = generateModelWeb({ seed, pages, weeks: 2 })
  const queries = records.workload!.queries.toSorted((a, b) => b.weight - a.weight).slice(0, most)
  return { archive: archiveOf(records), queries }
}

type Simulated = Omit<Trial, 'folder' | 'browser'> & {
  readonly webs: number
  readonly cost: number
}

interface Trial {
  readonly folder: string
  readonly pages: number
  readonly budget: number
  readonly queries: number
  readonly seed: number
  readonly browser: string
}

async function compare({ folder, pages, budget, queries: most, seed, browser }: Trial) {
  const { archive, queries } = modelWeb(seed, pages, most)
  const judge = new WeeklyJudge(archive, queries)
  const last = archive.snapshotCount - 1
  await judge.prepare(last)
  const log = join(folder, 'searches.csv')
  writeFileSync(log, csvOf(queries))
  const web = await serveScripted(archive, seed)
  const crawlBy = async (way: Way) => {
    const dir = join(folder, way)
    await importQueryLogs([log], { dir, format: 'csv' })
    const startedAt = performance.now()
    {
      await using crawl = await openCrawl({
        ...{ dir, budget, seeds: archive.site.start, delay: 0, ...WAYS[way] },
        ...{ resolve: [`*=127.0.0.1:${web.port}`], renderSandbox: process.getuid?.() !== 0 },
        ...(browser !== '' && { browser }),
      })
      await crawl.run()
    }
    const seconds = rounded((performance.now() - startedAt) / 1000)
    const quality = rounded(await qualityIn(dir, judge, last))
    return { quality, seconds, ...(await spentIn(dir)) }
  }
  const nothing = await crawlBy('nothing')
  const everything = await crawlBy('everything')
  const worthwhile = await crawlBy('worthwhile')
  const scriptedShare = rounded(web.scriptedShare())
  await web.close()
  const ok =
    worthwhile.quality > nothing.quality &&
    worthwhile.quality > everything.quality &&
    worthwhile.paid <= budget
  return { ok, seed, pages, budget, scriptedShare, nothing, everything, worthwhile }
}

function csvOf(queries: readonly Query[]): string {
  const lines = queries.map(
    ({ text, weight }) => `"${text.replaceAll('"', '""')}",${Math.ceil(weight)}`,
  )
  return `query,count\n${lines.join('\n')}\n`
}

/** What a crawl was spent on, and what renderings came to. */
async function spentIn(dir: string) {
  const [row] = await askTables(
    dir,
    `SELECT count(*) AS fetches, sum(cost) AS paid,
            count(*) FILTER (rendering IN ('done', 'fruitless', 'failed')) AS rendered,
            count(*) FILTER (rendering = 'fruitless') AS fruitless,
            count(*) FILTER (rendering = 'failed') AS failed,
            count(*) FILTER (rendering IN ('thin', 'shell')) AS frames,
            avg(cost) FILTER (rendering IN ('done', 'fruitless')) AS "meanCost",
            avg(ms) FILTER (rendering = 'done') AS "renderedMs",
            sum(thought_render) FILTER (rendering = 'done') AS predicted,
            sum(predicted_gain) FILTER (rendering = 'done') AS expected,
            sum(realised_gain) FILTER (rendering = 'done') AS gained
     FROM fetch_log`,
  )
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, rounded(Number(value ?? 0))]),
  ) as Record<string, number> & { paid: number }
}
