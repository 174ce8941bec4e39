import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runExperiment } from '#app/experiments/run-experiment.ts'
import { makeModelWeb } from '#app/experiments/running/make-model-web.ts'
import { isThorough } from '#numeric/cases.test-kit.ts'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'

const folder = sharedFolder()

interface Row {
  readonly policy: string
  readonly quality: number
}

/** Policies by their mean quality, the best first. */
function ranking(rows: readonly Row[]): string[] {
  const meanOf = (own: readonly Row[]) =>
    own.reduce((sum, { quality }) => sum + quality, 0) / own.length
  return [...Map.groupBy(rows, ({ policy }) => policy)]
    .sort(([, a], [, b]) => meanOf(b) - meanOf(a))
    .map(([policy]) => policy)
}

test.runIf(isThorough)('budget ranks policies as weeks does, on the same web', async () => {
  const archive = join(folder, 'modelweb')
  await makeModelWeb(archive, { seed: 3, pages: 500, weeks: 8 })
  const policies = ['unified', 'split:70/20/10', 'split:20/70/10', 'split:50/50/0:bfs,uniform,none']
  const shared = { archive: [archive], start: 20, policies: policies.join() }
  const weeks = await runExperiment('weeks', { ...shared, budget: 5 })
  const budget = await runExperiment('budget', {
    ...{ ...shared, start: '20', budgets: '5', queries: 'repeated', splits: 1 },
    policies: policies.join().replace('split:50/50/0:bfs,uniform,none', 'bfs+uniform'),
  })
  const renamed = (name: string) => (name === 'bfs+uniform' ? policies[3] : name)
  expect(ranking(budget.rows as Row[]).map(renamed)).toEqual(ranking(weeks.rows as Row[]))
})
