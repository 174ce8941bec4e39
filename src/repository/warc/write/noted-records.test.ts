import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.test-kit.ts'
import { INDEX_FILE } from '../recover-warcs.ts'
import { exchangeOf, NOON, openWriter } from '../warc.test-kit.ts'
import { workerPrefix } from '../warc-files.ts'
import { WarcAppender } from './warc-appender.ts'

test('what workers wrote is in the index when it is synced, and whoever was killed before finds it', async () => {
  const dir = temporaryFolder()
  const writer = await openWriter(dir)
  const info = { software: 'forager/test' }
  const worker = new WarcAppender(dir, {
    info,
    prefix: workerPrefix('forager', 0),
    now: () => NOON,
  })
  const keep = (page: number) =>
    writer.note(worker.append(exchangeOf(`<p>${page}`), { url: `https://a.example/${page}` }))
  const indexed = () => {
    const path = join(dir, INDEX_FILE)
    return existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n').length : 0
  }
  keep(0)
  expect(indexed(), 'the index is there as soon as anything is').toBe(1)
  for (let page = 1; page < 3; page++) keep(page)
  expect(indexed()).toBe(1)
  writer.sync()
  expect(indexed()).toBe(3)
  for (let page = 3; page < 6; page++) keep(page)
  expect(indexed()).toBe(4)

  const { indexed: found } = (await openWriter(dir)).opened // the first is never closed, as after a kill
  expect(found).toBe(2)
  expect(indexed()).toBe(6)
})

test('many are written without waiting for the end of a cycle', async () => {
  const dir = temporaryFolder()
  const writer = await openWriter(dir)
  const worker = new WarcAppender(dir, { info: { software: 'forager/test' }, now: () => NOON })
  for (let page = 0; page < 300; page++)
    writer.note(worker.append(exchangeOf('<p>'), { url: `https://a.example/${page}` }))
  expect(readFileSync(join(dir, INDEX_FILE), 'utf8').split('\n').length).toBeGreaterThan(200)
  await writer.close()
})
