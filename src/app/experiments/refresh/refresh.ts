import type { Command } from 'commander'
import {
  REFRESH_PROTOCOLS,
  type RefreshCase,
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
import { commaList } from '../../cli/settings/options.ts'
import { UsageError } from '../../text/usage-error.ts'
import { type ShelvedArchive, shelve } from '../running/archive-shelf.ts'
import type {
  CommonOptions,
  Experiment,
  ExperimentRun,
  ExperimentStep,
} from '../running/experiment.ts'
import { comparedPolicies, type PolicyFlags, policyFileFlag } from '../running/own-policies.ts'
import { type NamedWorkload, readRefreshTexts, workloadsOf } from './refresh-archive.ts'
import { presentRefresh } from './refresh-report.ts'
import type { RefreshFound } from './refresh-sites.ts'

interface RefreshOptions extends CommonOptions, PolicyFlags {
  readonly budgets: string
  readonly protocols?: string
  readonly scoring?: string
  readonly workload: string
  readonly lastmod?: string
}

export const refreshExperiment: Experiment<RefreshOptions> = {
  summary:
    'how good answers stay when copies are refreshed by each policy (quality against fetches a week)',
  example:
    'refresh --archive modelweb --budgets 1,5 --protocols online --policies uniform,quality \\\n    --out out.json --report report.html',
  addFlags,
  prepare,
}

function addFlags(command: Command): void {
  command
    .option('--budgets <shares>', 'fetches a week, in per cent of the pages', '1,2,5,10')
    .option(
      '--protocols <names>',
      `where estimates come from: ${REFRESH_PROTOCOLS.join(', ')} (default: all)`,
    )
    .option('--scoring <names>', `${REFRESH_SCORINGS.join(', ')} (default: both)`)
    .option(
      '--workload <names>',
      'judged (synthetic, from titles and anchors, where an archive has no queries), or a variant such as popular',
      'judged',
    )
    .option('--policies <names>', `of ${USUAL_REFRESHERS.join(', ')} (default: all)`)
    .addOption(policyFileFlag())
    .option(
      '--lastmod <names>',
      `what sitemaps say, online: ${LASTMODS.join(', ')} (default: none)`,
    )
}

async function prepare(options: RefreshOptions): Promise<ExperimentRun> {
  const percents = percentsOf(options.budgets)
  const protocols = chosen('--protocols', options.protocols, REFRESH_PROTOCOLS)
  const scorings = chosen('--scoring', options.scoring, REFRESH_SCORINGS)
  const lastmods =
    options.lastmod === undefined
      ? (['none'] as const)
      : chosen('--lastmod', options.lastmod, LASTMODS)
  const use = { tasks: ['refresh'], facts: ONLINE_FACTS } as const
  const { registry, names: policies } = await comparedPolicies(options, USUAL_REFRESHERS, use)
  const known = [...USUAL_REFRESHERS, ...registry.of('refresh').map(({ name }) => name)]
  chosen('--policies', policies.join(','), known)
  const archives = await shelve(options.archive)
  for (const { dir, snapshots } of archives)
    if (snapshots < 4)
      throw new UsageError(`${dir} has ${snapshots} snapshots; refreshing needs 4 or more`)
  const bench = new Workbench()
  const stepsOf = (shelved: ShelvedArchive, workload: NamedWorkload): ExperimentStep[] =>
    scorings.flatMap((scoring) =>
      protocols.flatMap((protocol) =>
        (protocol === 'online' ? lastmods : (['none'] as const)).map((lastmod) => {
          const one: RefreshCase = {
            scoring,
            protocol,
            percents,
            policies,
            registry,
            lastmod,
            seed: options.seed,
          }
          return {
            name: [shelved.id, workload.name, scoring, protocol, lastmod].join(' '),
            run: async () => {
              const { lab, changes } = await bench.labOf(shelved, workload, scoring)
              const found: RefreshFound = {
                archive: shelved.id,
                workload: workload.name,
                queries: lab.queries.terms.length,
                pages: lab.pages.archivePages.length,
                weeks: lab.pages.weeks,
                ...runRefresh(lab, changes, one),
              }
              return { found }
            },
          }
        }),
      ),
    )
  const steps = archives.flatMap((shelved) =>
    workloadsOf(shelved, commaList(options.workload)).flatMap((workload) =>
      stepsOf(shelved, workload),
    ),
  )
  if (steps.length === 0) throw new UsageError(`no archive has the workload "${options.workload}"`)
  return {
    steps,
    present: (found) =>
      presentRefresh(
        found as RefreshFound[],
        archives.map(({ id }) => id),
        options.seed,
      ),
  }
}

function percentsOf(text: string): number[] {
  const percents = commaList(text).map(Number)
  if (percents.length === 0 || percents.some((percent) => !(percent > 0 && percent <= 100)))
    throw new UsageError(`--budgets takes per cent of the pages, as in 1,2,5,10, not "${text}"`)
  return percents
}

function chosen<T extends string>(
  flag: string,
  text: string | undefined,
  allowed: readonly T[],
): readonly T[] {
  if (text === undefined) return allowed
  const names = commaList(text)
  const wrong = names.find((name) => !(allowed as readonly string[]).includes(name))
  if (wrong !== undefined || names.length === 0)
    throw new UsageError(`${flag} must be of ${allowed.join(', ')}, not "${wrong ?? text}"`)
  return [...new Set(names)] as T[]
}

/** Keeps what the steps at hand share: texts of one archive and workload, and their latest scoring. */
class Workbench {
  #texts: { readonly key: string; readonly made: RefreshTexts } | undefined
  #lab: { readonly key: string; readonly made: RefreshLab } | undefined
  #changes: PageChanges | undefined

  async labOf(
    shelved: ShelvedArchive,
    workload: NamedWorkload,
    scoring: RefreshScoring,
  ): Promise<{ lab: RefreshLab; changes: () => PageChanges }> {
    const key = `${shelved.id} ${workload.name}`
    if (this.#texts?.key !== key) {
      this.#texts = undefined
      this.#lab = undefined
      this.#changes = undefined
      this.#texts = { key, made: await readRefreshTexts(shelved, workload) }
    }
    const texts = this.#texts.made
    const labKey = `${key} ${scoring}`
    if (this.#lab?.key !== labKey) this.#lab = { key: labKey, made: refreshLab(texts, scoring) }
    return {
      lab: this.#lab.made,
      changes: () => {
        this.#changes ??= pageChanges(texts)
        return this.#changes
      },
    }
  }
}
