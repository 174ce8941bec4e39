import { beforeEach, expect, test } from 'vitest'
import { FrontierCrawls } from '#library/url-frontier/frontier-crawls.ts'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { CallError, FrontierService } from './frontier-service.ts'

let dir: string
beforeEach(() => {
  dir = temporaryFolder()
})

test('a large batch keeps nobody else waiting', async () => {
  await using crawls = new FrontierCrawls({ dir }, () => {})
  const service = new FrontierService(crawls, { mayDelete: false, address: () => '' })
  // What is no address of a page costs little each, and takes no plan.
  const items = Array.from({ length: 100_000 }, (_, i) => {
    return { url: `ftp://h${i}.example/`, key: '', metadata: {}, crawlID: 'A' }
  })
  let turns = 0
  let done = false
  const beat = () => {
    turns++
    if (!done) setImmediate(beat)
  }
  setImmediate(beat)
  const startedAt = performance.now()
  const { statuses } = await service.PutDiscovered({ ID: 'b', items })
  done = true
  expect(new Set(statuses)).toEqual(new Set(['SKIPPED']))
  expect(turns).toBeGreaterThanOrEqual(Math.floor((performance.now() - startedAt) / 500))
  expect(turns).toBeGreaterThan(0)
})

test('rules are for queues and crawls that can be', async () => {
  await using crawls = new FrontierCrawls({ dir }, () => {})
  const service = new FrontierService(crawls, { mayDelete: false, address: () => '' })
  const delay = (key: string, crawlID: string) =>
    service.SetDelay({ key, crawlID, delay_requestable: 5 })
  expect(() => delay('k'.repeat(513), 'A')).toThrow(CallError)
  expect(() => delay('k', '../A')).toThrow(CallError)
  expect(delay('k', 'A')).toEqual({})
})
