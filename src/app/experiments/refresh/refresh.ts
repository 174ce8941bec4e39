import {
  REFRESH_PROTOCOLS,
  runRefresh,
  USUAL_REFRESHERS,
} from '#lab/experiments/refresh/refresh.ts'
import { LASTMODS } from '#lab/refresh/lastmod.ts'
import { ONLINE_FACTS } from '#lab/refresh/online-refresher.ts'
import { type PageChanges, pageChanges } from '#lab/refresh/page-changes.ts'
import {
  REFRESH_SCORINGS,
  type RefreshLab,
  type RefreshScoring,
  type RefreshTexts,
  refreshLab,
} from '#lab/refresh/refresh-lab.ts'
import { latestOnly, pageWeeks, type ShelvedArchive } from '../running/archive-shelf.ts'
import { defineExperiment, trialsOf } from '../running/define-experiment.ts'
import type { CommonOptions } from '../running/experiment.ts'
import { chosen, percents } from '../running/flags.ts'
import { comparedPolicies, type PolicyFlags, policyFileFlag } from '../running/own-policies.ts'
import {
  type NamedWorkload,
  readRefreshTexts,
  workloadFlag,
  workloadsOf,
} from './refresh-archive.ts'
import { type RefreshFound, refreshRatios, refreshViews } from './refresh-views.ts'

interface RefreshOptions extends CommonOptions, PolicyFlags {
  readonly budgets: string
  readonly protocols?: string
  readonly scoring?: string
  readonly workload: string
  readonly lastmod?: string
}

/** Of one policy and budget. */
const SECONDS_PER_PAGE_WEEK = 5e-7

export const refreshExperiment = defineExperiment<RefreshOptions, RefreshFound>({
  name: 'refresh',
  summary:
    'how good answers stay when copies are refreshed by each policy (quality against fetches a week)',
  example:
    'refresh --archive modelweb --budgets 1,5 --protocols online --policies uniform,quality \\\n    --out out.json --report report.html',
  addFlags: (command) =>
    command
      .option('--budgets <shares>', 'fetches a week, in per cent of the pages', '1,2,5,10')
      .option(
        '--protocols <names>',
        `where estimates come from: ${REFRESH_PROTOCOLS.join(', ')} (default: all)`,
      )
      .option('--scoring <names>', `${REFRESH_SCORINGS.join(', ')} (default: both)`)
      .addOption(workloadFlag())
      .option('--policies <names>', `of ${USUAL_REFRESHERS.join(', ')} (default: all)`)
      .addOption(policyFileFlag())
      .option(
        '--lastmod <names>',
        `what sitemaps say, online: ${LASTMODS.join(', ')} (default: none)`,
      ),
  leastSnapshots: 4,
  plan: async (options, archives) => {
    const budgets = percents('--budgets', options.budgets)
    const protocols = chosen('--protocols', options.protocols, REFRESH_PROTOCOLS)
    const scorings = chosen('--scoring', options.scoring, REFRESH_SCORINGS)
    const lastmods = chosen('--lastmod', options.lastmod, LASTMODS, ['none'])
    const use = { tasks: ['refresh'], facts: ONLINE_FACTS } as const
    const { registry, names: policies } = await comparedPolicies(options, USUAL_REFRESHERS, use)
    const known = [...USUAL_REFRESHERS, ...registry.of('refresh').map(({ name }) => name)]
    chosen('--policies', policies.join(','), known)
    const { seed } = options
    const labOf = workbench()
    const trialsOn = (archive: ShelvedArchive, workload: NamedWorkload) => {
      const site = { archive: [archive], workload: [workload.name] }
      return [
        ...trialsOf(site, async () => {
          const { lab } = await labOf(archive, workload, scorings[0])
          const { archivePages, weeks } = lab.pages
          const queries = lab.queries.terms.length
          return { tables: { sites: [{ queries, pages: archivePages.length, weeks }] } }
        }),
        ...scorings.flatMap((scoring) =>
          protocols.flatMap((protocol) => {
            const lastmod = protocol === 'online' ? lastmods : (['none'] as const)
            const cases = { ...site, scoring: [scoring], estimates: [protocol], lastmod }
            return trialsOf(cases, async ({ lastmod }) => {
              const { lab, changes } = await labOf(archive, workload, scoring)
              const shared = { percents: budgets, policies, registry, seed }
              const one = { scoring, protocol, lastmod, ...shared }
              return { tables: { ...runRefresh(lab, changes, one) } }
            })
          }),
        ),
      ]
    }
    const runs = scorings.length * protocols.length * budgets.length * policies.length
    return {
      seconds: SECONDS_PER_PAGE_WEEK * pageWeeks(archives) * runs,
      trials: workloadsOf(archives, options.workload).flatMap(({ archive, workload }) =>
        trialsOn(archive, workload),
      ),
      derive: ({ rows }) => ({ ratios: refreshRatios(rows, seed) }),
    }
  },
  keys: ['archive', 'workload', 'scoring', 'estimates', 'lastmod', 'policy', 'tau', 'percent'],
  title: 'Refresh: how good the answers stay',
  intro: `Pages live at all snapshots; all copies are current at the first, and so many are fetched
again every week. Quality is what searchers get from the copies, of what current copies would give them (mean
of just before and just after the weekly fetches). The shortfall is what is missing from quality 1, of what is missing
without any refreshing. Estimates "whole" come from the period that is judged, as in the paper; "split" from the half
before it; "online" from the policy's own fetches alone. "synthetic" queries were derived from titles and anchors of
the first snapshot. For sbr and ebr the best threshold of each budget is shown, chosen in hindsight.`,
  views: refreshViews,
})

/** Keeps what the steps at hand share: texts of one archive and workload, and their latest scoring. */
function workbench() {
  const texts = latestOnly<Promise<RefreshTexts>>()
  const labs = latestOnly<RefreshLab>()
  const changes = latestOnly<PageChanges>()
  return async (shelved: ShelvedArchive, workload: NamedWorkload, scoring: RefreshScoring) => {
    const read = await texts([shelved, workload.name], () => readRefreshTexts(shelved, workload))
    return {
      lab: labs([read, scoring], () => refreshLab(read, scoring)),
      changes: () => changes([read], () => pageChanges(read)),
    }
  }
}
