import { weeksRun } from '#lab/weeks/weeks-run.ts'
import { PURPOSES } from '#policy/bids.ts'
import { TASK_NAMES } from '../../text/task-names.ts'
import { table } from '../terminal/output.ts'
import { terminalChart } from '../terminal/terminal-chart.ts'
import type { DemoWeeks } from './demo-weeks.ts'

/** The weeks for people: a curve, a table, and what it comes to. */
export function weeksText(found: readonly DemoWeeks[]): string {
  const curves = found.map(({ policy, weeks }) => ({
    name: policy,
    values: weeks.map(({ quality }) => quality),
  }))
  const runs = found.map(({ policy, weeks }) => ({ policy, ...weeksRun(weeks, null) }))
  const ours = runs.at(-1)!
  const percent = (share: number) => `${Math.round(100 * share)} %`
  return [
    'One budget: answer quality while the web grows and changes, week by week',
    '',
    terminalChart(curves, 'weeks'),
    '',
    table(
      ['policy', 'mean quality', ...PURPOSES.map((task) => TASK_NAMES[task]), 'born pages found'],
      runs.map((run) => [
        run.policy,
        run.quality ?? 0,
        ...PURPOSES.map((task) => percent(run.shares[task])),
        percent(run.knownShare ?? 0),
      ]),
    ),
    '',
    ...runs
      .slice(0, -1)
      .map((run) => comparison(ours.policy, ours.quality!, run.policy, run.quality!)),
  ].join('\n')
}

/** What searchers miss is what can be won. */
function comparison(policy: string, quality: number, rival: string, theirs: number): string {
  const share = (1 - quality) / (1 - theirs) - 1
  const word = share <= 0 ? 'less' : 'more'
  return `With ${policy} searchers miss ${Math.abs(Math.round(100 * share))} % ${word} than with ${rival}.`
}
