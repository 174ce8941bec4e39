import type { Command } from 'commander'
import type { Tables } from '#lab/report/rows.ts'
import { showViews } from '#lab/report/show-views.ts'
import type { View } from '#lab/report/view.ts'
import { UsageError } from '../../text/usage-error.ts'
import { type ShelvedArchive, shelve, snapshotAt } from './archive-shelf.ts'
import type { CommonOptions, Experiment, Findings, StepOutcome } from './experiment.ts'

/** An experiment as data: factors × policies → rows, and how rows are shown. */
export interface ExperimentPlan<Options extends CommonOptions, Found extends Tables> {
  readonly name: string
  readonly summary: string
  readonly example: string
  addFlags(command: Command): void
  /** Archives with fewer snapshots cannot tell anything. */
  readonly leastSnapshots?: number
  /** Checks the flags, and says what is to be measured. */
  plan(
    options: Options,
    archives: readonly ShelvedArchive[],
  ): Trials<Found> | Promise<Trials<Found>>
  /** The fields that tell rows apart. */
  readonly keys: readonly string[]
  /** Tables that are drawn, and are not part of the result. */
  readonly drawnOnly?: readonly (keyof Found & string)[]
  readonly title: string
  readonly intro: string | ((found: Found) => string)
  readonly views: readonly View<Found>[]
}

/** Factors of one trial: an archive, and whatever else differs from trial to trial. */
export type Factors = { readonly archive: ShelvedArchive } & Readonly<
  Record<string, string | number | ShelvedArchive | null | undefined>
>

interface Trials<Found extends Tables> {
  /** Everything to be measured; trials of one archive in a row, so that it is read once. */
  readonly trials: readonly Trial[]
  /** How long they may take, roughly; left out of what is quick. */
  readonly seconds?: number
  /** What else the result tells: flags that rows do not show. */
  readonly asked?: object
  /** Tables that follow from those measured. */
  derive?(found: Found): Partial<Found>
  /** What else the result tells of them. */
  tell?(found: Found): object
}

/** Rows get the factors of their trial as their first fields. */
export interface Trial {
  readonly factors: Factors
  measure(): Promise<Measured>
}

interface Measured extends Pick<StepOutcome, 'dumps'> {
  readonly tables: Tables
}

/** Every combination of factors, the first slowest; `measure` makes the rows of one. */
export function trialsOf<const Cases extends Readonly<Record<string, readonly unknown[]>>>(
  cases: Cases,
  measure: (one: { readonly [Name in keyof Cases]: Cases[Name][number] }) => Promise<Measured>,
): Trial[] {
  type Case = { readonly [Name in keyof Cases]: Cases[Name][number] }
  const all = Object.entries(cases).reduce<Record<string, unknown>[]>(
    (some, [name, values]) =>
      some.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  )
  return all.map((one) => ({ factors: one as Factors, measure: () => measure(one as Case) }))
}

/** An experiment that can be run step by step, made of its plan. */
export function defineExperiment<Options extends CommonOptions, Found extends Tables>(
  plan: ExperimentPlan<Options, Found>,
): Experiment<Options> {
  return {
    summary: plan.summary,
    example: plan.example,
    addFlags: plan.addFlags,
    prepare: async (options) => {
      const archives = await shelve(options.archive)
      for (const archive of archives) check(archive, plan, options)
      const trials = await plan.plan(options, archives)
      const placed = trials.trials.map(({ factors, measure }) => {
        const where = { ...factors, archive: factors.archive.id }
        return { where, measure }
      })
      return {
        seconds: trials.seconds,
        steps: placed.map(({ where, measure }) => ({
          name: Object.values(where)
            .filter((value) => value !== null && value !== undefined)
            .join(' '),
          run: async () => {
            const { tables, dumps } = await measure()
            return { found: tables, dumps }
          },
        })),
        present: (found) => {
          const tables = collected(
            placed.map(({ where }) => where),
            found as Tables[],
          ) as Found
          const ids = archives.map(({ id }) => id)
          const told = { seed: options.seed, ...trials.asked, ...trials.tell?.(tables) }
          return present(plan, { ...tables, ...trials.derive?.(tables) }, ids, told)
        },
      }
    },
  }
}

function check(
  archive: ShelvedArchive,
  { leastSnapshots = 1 }: { readonly leastSnapshots?: number },
  options: CommonOptions & { readonly at?: number },
): void {
  const { dir, snapshots } = archive
  if (snapshots < leastSnapshots)
    throw new UsageError(
      `--archive ${dir}: it has ${snapshots === 1 ? 'one snapshot' : `${snapshots} snapshots`} only, and this experiment needs ${leastSnapshots} or more`,
    )
  snapshotAt(archive, options.at)
}

/** The tables of all trials, one after the other, with the factors that made each row. */
function collected(factors: readonly object[], found: readonly Tables[]): Tables {
  const all: Record<string, object[]> = {}
  for (const [i, tables] of found.entries())
    for (const [name, rows] of Object.entries(tables)) {
      all[name] ??= []
      all[name].push(...rows.map((row) => ({ ...factors[i], ...row })))
    }
  return all
}

/** Every row, unless a view shows them anyway. */
function everyRow<Found extends Tables>(views: readonly View<Found>[]): View<Found>[] {
  const isShown = views.some((view) => view.of === 'rows' && view.as === 'table' && !view.columns)
  const view = { as: 'table', of: 'rows', caption: 'every row', isDetail: true }
  return isShown ? [] : [view as unknown as View<Found>]
}

function present<Options extends CommonOptions, Found extends Tables>(
  plan: ExperimentPlan<Options, Found>,
  found: Found,
  archives: readonly string[],
  asked: object,
): Findings {
  const { name, keys, title, intro, views, drawnOnly = [] } = plan
  const told = Object.entries(found).filter(([table]) => !drawnOnly.includes(table))
  return {
    result: {
      experiment: name,
      archive: archives.length > 1 ? archives : archives[0],
      ...asked,
      keys,
      rows: [],
      ...Object.fromEntries(told),
    },
    title,
    intro: typeof intro === 'string' ? intro : intro(found),
    ...showViews([...views, ...everyRow<Found>(views)], found),
    archives,
  }
}
