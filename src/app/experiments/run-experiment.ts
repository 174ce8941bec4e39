import { Command } from 'commander'
import { SettingError } from '#errors/setting-error.ts'
import { EXPERIMENTS } from './experiments.ts'
import type { CommonOptions, ExperimentJson, Findings, StepOutcome } from './running/experiment.ts'
import type { StepLog } from './running/step-log.ts'

/** An experiment's own options beside the common ones, by the names of its flags in camel case. */
export interface RunExperimentOptions extends Partial<CommonOptions> {
  /** Folders of recorded webs, at least one. */
  readonly archive: readonly string[]
  /** Samples, and settles ties; 1 if left out. */
  readonly seed?: number
  readonly [option: string]: unknown
}

/** Runs an experiment of the lab, and gives its rows and what else it found. What is left out is as on the command line. */
export async function runExperiment(
  name: string,
  options: RunExperimentOptions,
): Promise<ExperimentJson> {
  if (!Object.hasOwn(EXPERIMENTS, name))
    throw new SettingError(
      'experiment',
      `there is no experiment "${name}": choose one of ${Object.keys(EXPERIMENTS).join(', ')}`,
    )
  const { result } = await findingsOf(name, { seed: 1, ...defaultsOf(name), ...options })
  return result
}

function defaultsOf(name: string): Record<string, unknown> {
  const flags = new Command()
  EXPERIMENTS[name].addFlags(flags)
  return flags.opts()
}

/** Who hears of the steps of a run, and where what they found is kept until all are done. */
export interface StepKeeper {
  /** Before the first step: so many there are, and so long they may take together. */
  readonly begin?: (
    steps: number,
    seconds: number,
  ) => Pick<StepLog, 'has' | 'get' | 'add'> | undefined
  readonly step?: (done: number, name: string) => void
  readonly outcome?: (outcome: StepOutcome) => void
}

/** Runs all steps of an experiment that were not run before, and presents the whole. */
export async function findingsOf(
  name: string,
  options: CommonOptions,
  keeper: StepKeeper = {},
): Promise<Findings> {
  if (options.archive.length === 0)
    throw new SettingError('archive', 'name at least one recorded web with {archive}')
  const run = await EXPERIMENTS[name].prepare(options)
  const log = keeper.begin?.(run.steps.length, run.seconds ?? 0)
  const found: unknown[] = []
  for (const [done, step] of run.steps.entries()) {
    if (log?.has(step.name)) {
      found.push(log.get(step.name))
      continue
    }
    keeper.step?.(done, step.name)
    const outcome = await step.run()
    keeper.outcome?.(outcome)
    log?.add(step.name, outcome.found)
    found.push(outcome.found)
  }
  // What is taken up from a file has been through JSON, and so is what is not.
  return run.present(JSON.parse(JSON.stringify(found)))
}
