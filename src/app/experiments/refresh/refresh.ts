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
import { defineExperiment } from '../running/define-experiment.ts'
import { chosen, namesFlag, percentsFlag } from '../running/flags.ts'
import { policiesFlag } from '../running/own-policies.ts'
import { mustHaveWorkload, readRefreshTexts, workloadFlag, workloadsOf } from './refresh-archive.ts'
import { type RefreshFound, refreshRatios, refreshViews } from './refresh-views.ts'

/** Of one policy and budget. */
const SECONDS_PER_PAGE_WEEK = 5e-7

export const refreshExperiment = defineExperiment<RefreshFound>()({
  name: 'refresh',
  summary:
    'how good answers stay when copies are refreshed by each policy (quality against fetches a week)',
  example:
    'refresh --archive modelweb --budgets 1,5 --protocols online --policies uniform,quality \\\n    --out out.json --report report.html',
  flags: {
    budgets: percentsFlag('fetches a week, in per cent of the pages', '1,2,5,10'),
    protocols: namesFlag(
      'names',
      `where estimates come from: ${REFRESH_PROTOCOLS.join(', ')} (default: all)`,
      REFRESH_PROTOCOLS,
    ),
    scoring: namesFlag('names', `${REFRESH_SCORINGS.join(', ')} (default: both)`, REFRESH_SCORINGS),
    workload: workloadFlag,
    policies: policiesFlag({
      usual: USUAL_REFRESHERS,
      tasks: ['refresh'],
      facts: ONLINE_FACTS,
      words: `of ${USUAL_REFRESHERS.join(', ')} (default: all)`,
    }),
    lastmod: namesFlag(
      'names',
      `what sitemaps say, online: ${LASTMODS.join(', ')} (default: none)`,
      LASTMODS,
      ['none'],
    ),
  },
  leastSnapshots: 4,
  check: ({ workload, policies: { names, registry } }, archives) => {
    const known = [...USUAL_REFRESHERS, ...registry.of('refresh').map(({ name }) => name)]
    chosen('--policies', names.join(','), known)
    mustHaveWorkload(archives, workload)
  },
  seconds: ({ scoring, protocols, budgets, lastmod, policies: { names } }, archives) => {
    // Sitemaps matter to those alone who learn as they go.
    const years = protocols.map((one) => (one === 'online' ? lastmod.length : 1))
    const trials = scoring.length * years.reduce((sum, one) => sum + one, 0)
    return SECONDS_PER_PAGE_WEEK * pageWeeks(archives) * trials * budgets.length * names.length
  },
  open: workbench,
  trials: (settings, trialsOf, archive) =>
    workloadsOf(archive, settings.workload).flatMap((workload) => [
      ...trialsOf({ workload: [workload] }, async (labOf) => {
        const { lab } = await labOf(workload, settings.scoring[0])
        const { archivePages, weeks } = lab.pages
        const queries = lab.queries.terms.length
        return { tables: { sites: [{ queries, pages: archivePages.length, weeks }] } }
      }),
      ...settings.scoring.flatMap((scoring) =>
        settings.protocols.flatMap((estimates) => {
          const lastmod = estimates === 'online' ? settings.lastmod : (['none'] as const)
          const cases = {
            workload: [workload],
            scoring: [scoring],
            estimates: [estimates],
            lastmod,
          }
          return trialsOf(cases, async (labOf, { lastmod }) => {
            const { lab, changes } = await labOf(workload, scoring)
            const { budgets: percents, policies, seed } = settings
            const { registry, names } = policies
            const one = { scoring, protocol: estimates, lastmod, percents, seed, registry }
            return { tables: { ...runRefresh(lab, changes, { ...one, policies: names }) } }
          })
        }),
      ),
    ]),
  derive: ({ rows }, { seed }) => ({ ratios: refreshRatios(rows, seed) }),
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

/** An archive with what the steps at hand share: its texts with one workload, and their latest scoring. */
function workbench(shelved: ShelvedArchive) {
  const texts = latestOnly<Promise<RefreshTexts>>()
  const labs = latestOnly<RefreshLab>()
  const changes = latestOnly<PageChanges>()
  return async (workload: string, scoring: RefreshScoring) => {
    const read = await texts([workload], () => readRefreshTexts(shelved, workload))
    return {
      lab: labs([read, scoring], () => refreshLab(read, scoring)),
      changes: () => changes([read], () => pageChanges(read)),
    }
  }
}
