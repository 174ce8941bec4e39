import { type Command, Option } from 'commander'
import type { Output } from '../terminal/output.ts'
import { wholeNumber } from './options.ts'

/** How many fetches a plan shows. It was called a budget, which a crawl uses for all that it may cost. */
export interface PlanSize {
  fetches: number
  budget?: number
}

/** Gives a command `--fetches`, and its older name. */
export function addPlanSize(command: Command, what: string): Command {
  return command
    .option('--fetches <n>', what, wholeNumber(1), 20)
    .addOption(new Option('--budget <n>').argParser(wholeNumber(1)).hideHelp())
}

export function planSizeOf({ fetches, budget }: PlanSize, output: Output): number {
  if (budget !== undefined)
    output.note('--budget is called --fetches here, as it is not what the crawl may cost in all')
  return budget ?? fetches
}
