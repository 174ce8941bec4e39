import { type Command, Option } from 'commander'
import type { SettingName } from '#library/settings/settings.ts'
import type { Output } from '../terminal/output.ts'
import { wholeNumber } from './options.ts'
import { addSettings } from './setting-flags.ts'

/** How many fetches a plan shows. It was called a budget, which a crawl uses for all that it may cost. */
export interface PlanSize {
  fetches: number
  budget?: number
}

/** Gives a command the settings that plans go by, `--fetches` with its older name, and more settings. */
export function addPlanFlags(
  command: Command,
  what: string,
  more: readonly SettingName[] = [],
): Command {
  return addSettings(command, ['policy', 'policyFile', 'needyShare', ...more, ...PLAN_FLAGS])
    .option('--fetches <n>', what, wholeNumber(1), 20)
    .addOption(new Option('--budget <n>').argParser(wholeNumber(1)).hideHelp())
}

const PLAN_FLAGS: readonly SettingName[] = [
  'dir',
  'perHost',
  'perDomain',
  'maxPagesPerHost',
  'maxPagesPerDomain',
  'refreshAfter',
  'freshFor',
  'randomShare',
  'seed',
  'render',
  'renderAll',
]

export function planSizeOf({ fetches, budget }: PlanSize, output: Output): number {
  if (budget !== undefined)
    output.note('--budget is called --fetches here, as it is not what the crawl may cost in all')
  return budget ?? fetches
}
