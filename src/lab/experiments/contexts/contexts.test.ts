import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { AnswerTruth } from '../../judging/answer-truth.ts'
import { KNOWN, runContexts } from './contexts.ts'

const records = generateModelWeb({ seed: 5, pages: 500, weeks: 1 })
const web = new RecordedWeb(archiveOf(records), 0, { sitemaps: 'none' })
const truth = new AnswerTruth(web, records.workload!.queries.slice(0, 150))
const rows = await runContexts(truth, { share: 0.3, split: 1, seed: 1 })
const row = (knows: string) => rows.find((one) => one.knows === knows)!

test('everything that may be known is judged on the same pages', () => {
  expect(rows.map(({ knows }) => knows)).toEqual(Object.keys(KNOWN))
  expect(new Set(rows.map(({ pages }) => pages)).size).toBe(1)
  expect(row('names').withContext).toBeGreaterThan(0)
  expect(row('names').withContext).toBeLessThan(row('names').pages)
})

test('who knows more looks at more of the right pairs, and who knows scores tells them best', () => {
  for (const { lookedAt, precision } of rows) {
    expect(precision).toBeGreaterThan(0)
    expect(precision).toBeLessThanOrEqual(lookedAt)
  }
  expect(row('words').lookedAt).toBeGreaterThan(row('names').lookedAt)
  expect(row('words').precision).toBeGreaterThan(1.2 * row('names').precision)
  expect(row('score').precision).toBeGreaterThan(row('words').precision)
})

test('the same seed gives the same rows', async () => {
  expect(await runContexts(truth, { share: 0.3, split: 1, seed: 1 })).toEqual(rows)
})
