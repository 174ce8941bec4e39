import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { defaultAnalyser, defaultScoring } from '#search/full-text/default-search.ts'
import { conjunctive, tfIdf } from '#search/full-text/scoring.ts'
import { indexArchive } from '../judging/archive-index.ts'
import { runSearch } from './search.ts'

test('judged pages come out on top more often than chance, and every source has its row', () => {
  const records = generateModelWeb({ seed: 5, pages: 800, weeks: 2 })
  const archive = archiveOf(records)
  const index = indexArchive(archive, 1, defaultAnalyser)
  const rows = runSearch(archive, index, records.workload!, defaultScoring)
  expect(rows.length).toBeGreaterThan(0)
  const queries = rows.reduce((sum, row) => sum + row.queries, 0)
  expect(queries).toBeGreaterThan(50)
  const mean = rows.reduce((sum, row) => sum + row.ndcg10 * row.queries, 0) / queries
  expect(mean).toBeGreaterThan(0.15)
  const strict = runSearch(archive, index, records.workload!, tfIdf(conjunctive))
  for (const row of strict) expect(row.recall100).toBeLessThanOrEqual(1)
})

test('queries whose ids name no source are of one, those of a source have a row of their own', () => {
  const records = generateModelWeb({ seed: 5, pages: 600, weeks: 2 })
  const archive = archiveOf(records)
  const index = indexArchive(archive, 1, defaultAnalyser)
  const { queries, judgments } = records.workload!
  const renamed = (id: string) => (id.endsWith('1') ? `faq:${id}` : id)
  const rows = runSearch(
    archive,
    index,
    {
      ...records.workload!,
      queries: queries.map((query) => ({ ...query, id: renamed(query.id) })),
      judgments: judgments.map((one) => ({ ...one, queryId: renamed(one.queryId) })),
    },
    defaultScoring,
  )
  expect(rows.map(({ source }) => source).sort()).toEqual(['faq', 'queries'])
})
