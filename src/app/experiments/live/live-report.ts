import { differenceInterval, meanInterval } from '#lab/metrics/bootstrap.ts'
import { barChart } from '#lab/report/bar-chart.ts'
import type { Findings } from '../running/experiment.ts'

/** What one crawl came to. */
export interface LiveFound {
  readonly archive: string
  readonly policy: string
  readonly fetches: number
  readonly pages: number
  /** Of the answers to the queries it is judged by; null if nothing is asked. */
  readonly quality: number | null
  readonly maxNdcg: number | null
  readonly seconds: number
}

interface Asked {
  readonly seed: number
  readonly budget: number
  readonly queries: string
}

const INTRO = `Each policy crawled each archive over HTTP with the same budget, from the same seeds and with the
same query log. Quality is that of the answers from the pages held against those from all pages, on searches that were not
in the log it read (rank r is seen with r^-1.5); maxNDCG is the best NDCG@10 that any ranking of the pages held could reach.`

/** All crawls, and their means over archives. */
export function presentLive(found: readonly LiveFound[], asked: Asked): Findings {
  const archives = [...new Set(found.map(({ archive }) => archive))]
  const policies = [...new Set(found.map(({ policy }) => policy))]
  const valuesOf = (policy: string, measure: 'quality' | 'maxNdcg') =>
    Float64Array.from(archives, (archive) => {
      const run = found.find((one) => one.archive === archive && one.policy === policy)
      return run?.[measure] ?? 0
    })
  const last = policies[policies.length - 1]
  const means = policies.map((policy) => {
    const [quality, maxNdcg] = (['quality', 'maxNdcg'] as const).map(
      (measure) => meanInterval(valuesOf(policy, measure), asked)!,
    )
    const lead = (measure: 'quality' | 'maxNdcg') =>
      differenceInterval(valuesOf(last, measure), valuesOf(policy, measure), asked)!
    return { policy, quality, maxNdcg, lead: lead('quality'), ndcgLead: lead('maxNdcg') }
  })
  return {
    result: {
      experiment: 'live',
      archive: archives.length > 1 ? archives : archives[0],
      ...asked,
      keys: ['archive', 'policy'],
      rows: found,
      means,
    },
    title: 'Live: whole crawls over HTTP',
    intro: INTRO,
    charts: (['quality', 'maxNdcg'] as const).map((measure) =>
      barChart(
        means.map((mean) => ({ name: mean.policy, parts: [mean[measure].estimate] })),
        {
          title: `${measure === 'quality' ? 'Repository quality' : 'maxNDCG@10'} with ${asked.budget} % of the pages`,
          yLabel: measure,
          partNames: [`mean over ${archives.length} archives`],
        },
      ),
    ),
    tables: [
      {
        caption: `means over ${archives.length} archives (95 % intervals), and the lead of ${last}`,
        header: ['policy', 'quality', 'from', 'to', 'maxNDCG', 'from', 'to', `${last} leads by`],
        rows: means.map(({ policy, quality, maxNdcg, lead }) => [
          policy,
          quality.estimate,
          quality.low,
          quality.high,
          maxNdcg.estimate,
          maxNdcg.low,
          maxNdcg.high,
          `${lead.estimate.toFixed(3)} (${lead.low.toFixed(3)} to ${lead.high.toFixed(3)})`,
        ]),
      },
      {
        caption: 'each crawl',
        header: ['archive', 'policy', 'fetches', 'pages', 'quality', 'maxNDCG', 'seconds'],
        rows: found.map((run) => [
          run.archive,
          run.policy,
          run.fetches,
          run.pages,
          run.quality ?? '–',
          run.maxNdcg ?? '–',
          run.seconds,
        ]),
      },
    ],
    archives,
  }
}
