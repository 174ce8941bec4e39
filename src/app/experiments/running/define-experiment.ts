import type { Tables } from '#lab/report/rows.ts'
import { showViews } from '#lab/report/show-views.ts'
import type { View } from '#lab/report/view.ts'
import { UsageError } from '../../text/usage-error.ts'
import { latestOnly, type ShelvedArchive, shelve, snapshotAt } from './archive-shelf.ts'
import type { CommonOptions, Experiment, Findings, StepOutcome } from './experiment.ts'
import { type Flags, readSettings, type Settings } from './flags.ts'

/** An experiment as data: settings, worlds, what is measured in each (factors → rows), and how rows are shown. */
interface ExperimentPlan<Own extends Flags, World, Found extends Tables> {
  readonly name: string
  readonly summary: string
  readonly example: string
  readonly flags: Own
  /** What `--help` says below all flags. */
  readonly help?: () => string
  /** Archives with fewer snapshots cannot tell anything. */
  readonly leastSnapshots?: number
  /** Complains about settings that do not go together. */
  check?(settings: Settings<Own>, archives: readonly ShelvedArchive[]): void
  /** How long a run may take, roughly; left out of what is quick. */
  seconds?(settings: Settings<Own>, archives: readonly ShelvedArchive[]): number
  /** Reads an archive; kept while its trials run. */
  open(archive: ShelvedArchive, settings: Settings<Own>): World | Promise<World>
  /** What is to be measured in the world of one archive; `trialsOf` makes every combination of factors. */
  trials(
    settings: Settings<Own>,
    trialsOf: TrialsOf<World>,
    archive: ShelvedArchive,
  ): readonly Trial<World>[]
  /** Tables that follow from those measured. */
  derive?(found: Found, settings: Settings<Own>): Partial<Found>
  /** What else the result tells: settings that rows do not show. */
  asked?(settings: Settings<Own>, found: Found): object
  /** The fields that tell rows apart. */
  readonly keys: readonly string[]
  /** Tables that are drawn, and are not part of the result. */
  readonly drawnOnly?: readonly (keyof Found & string)[]
  readonly title: string
  readonly intro: string | ((found: Found) => string)
  readonly views: readonly View<Found>[]
}

type Factor = string | number | null | undefined

/** Rows get the archive and the factors of their trial as their first fields. */
interface Trial<World> {
  readonly factors: Readonly<Record<string, Factor>>
  measure(world: World): Measured | Promise<Measured>
}

interface Measured extends Pick<StepOutcome, 'dumps'> {
  readonly tables: Tables
}

type Cases = Readonly<Record<string, readonly Factor[]>>
type CaseOf<All extends Cases> = { readonly [Name in keyof All]: All[Name][number] }

/** Every combination of factors, the first slowest; `measure` makes the rows of one. */
type TrialsOf<World> = <const All extends Cases>(
  cases: All,
  measure: (world: World, one: CaseOf<All>) => Measured | Promise<Measured>,
) => Trial<World>[]

function trialsOf<World, const All extends Cases>(
  cases: All,
  measure: (world: World, one: CaseOf<All>) => Measured | Promise<Measured>,
): Trial<World>[] {
  const all = Object.entries(cases).reduce<Record<string, Factor>[]>(
    (some, [name, values]) =>
      some.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  )
  return all.map((factors) => ({
    factors,
    measure: (world) => measure(world, factors as CaseOf<All>),
  }))
}

/** An experiment that can be run step by step, made of its plan; `Found` are its tables. */
export function defineExperiment<Found extends Tables>() {
  return <const Own extends Flags, World>(plan: ExperimentPlan<Own, World, Found>): Experiment => ({
    summary: plan.summary,
    example: plan.example,
    addFlags: (command) => {
      for (const [name, flag] of Object.entries(plan.flags))
        for (const option of flag.options(name)) command.addOption(option)
      if (plan.help) command.addHelpText('after', plan.help)
    },
    prepare: async (options) => {
      const archives = await shelve(options.archive)
      for (const archive of archives) check(archive, plan.leastSnapshots, options)
      const settings = await readSettings(plan.flags, options)
      plan.check?.(settings, archives)
      const opened = latestOnly<World | Promise<World>>()
      const steps = archives.flatMap((archive) =>
        plan.trials(settings, trialsOf, archive).map(({ factors, measure }) => ({
          where: { archive: archive.id, ...factors },
          run: async () => {
            const world = await opened([archive], () => plan.open(archive, settings))
            const { tables, dumps } = await measure(world)
            return { found: tables, dumps }
          },
        })),
      )
      return {
        seconds: plan.seconds?.(settings, archives),
        steps: steps.map(({ where, run }) => ({
          name: Object.values<Factor>(where)
            .filter((value) => value !== null && value !== undefined)
            .join(' '),
          run,
        })),
        present: (found) => {
          const places = steps.map(({ where }) => where)
          const measured = collected(places, found as Tables[]) as Found
          const told = { seed: settings.seed, ...plan.asked?.(settings, measured) }
          const tables = { ...measured, ...plan.derive?.(measured, settings) }
          const ids = archives.map(({ id }) => id)
          return present(plan, tables, ids, told)
        },
      }
    },
  })
}

function check(
  archive: ShelvedArchive,
  least = 1,
  options: CommonOptions & { readonly at?: number },
): void {
  const { dir, snapshots } = archive
  if (snapshots < least)
    throw new UsageError(
      `--archive ${dir}: it has ${snapshots === 1 ? 'one snapshot' : `${snapshots} snapshots`} only, and this experiment needs ${least} or more`,
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

function present<Found extends Tables>(
  plan: Pick<
    ExperimentPlan<Flags, unknown, Found>,
    'name' | 'keys' | 'title' | 'intro' | 'views' | 'drawnOnly'
  >,
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
