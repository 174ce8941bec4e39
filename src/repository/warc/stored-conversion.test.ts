import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../temporary-folder.test-kit.ts'
import { inspectWarc } from './check/inspect-warc.ts'
import { pageInWarc } from './page-in-warc.ts'
import { exchangeOf, NOON, openWriter, readWithWarcio, warcNames } from './warc.test-kit.ts'

const APP = 'https://a.example/app'
const NEXT = 'https://a.example/next'

async function twoPages() {
  const dir = temporaryFolder()
  const writer = await openWriter(dir)
  const frame = exchangeOf('<meta name=robots content=nofollow><div id=root></div>')
  const dom = new TextEncoder().encode('<!doctype html><title>App</title><p>Made by scripts</p>')
  const rendered = writer.append(frame, { url: APP, dom, at: NOON + 2, fetchTimeMs: 1 })
  const plain = writer.append(exchangeOf('<p>Plain'), { url: NEXT })
  await writer.close()
  return { dir, path: join(dir, warcNames(dir)[0]), rendered, plain }
}

test('what scripts made of a page is a conversion of its response, as warcio reads it', async () => {
  const { path } = await twoPages()
  const records = await readWithWarcio(path)
  const [response, conversion] = ['response', 'conversion'].map(
    (type) => records.find((record) => record.type === type)!,
  )
  expect(records.filter(({ type }) => type === 'conversion')).toHaveLength(1)
  expect(conversion.url).toBe(APP)
  expect(conversion.content.toString()).toContain('Made by scripts')
  expect(response.content.toString()).toContain('id=root')
  const field = (name: string) => conversion.record.warcHeader(name)
  expect(field('WARC-Refers-To')).toBe(response.record.warcHeader('WARC-Record-ID'))
  expect(field('WARC-Date')).toBe('2026-11-15T12:00:02Z')
  expect(field('Content-Type')).toBe('text/html; charset=utf-8')
  const { gaps, answers } = await inspectWarc(path)
  expect([gaps, answers.size]).toEqual([[], 2])
})

test('a page is read back as its scripts had made it, with what it had asked for before', async () => {
  const { dir, rendered, plain } = await twoPages()
  const page = await pageInWarc(dir, rendered, APP, NOON)
  expect(page).toMatchObject({ title: 'App', text: 'Made by scripts', nofollow: true })
  expect(await pageInWarc(dir, plain, NEXT, NOON)).toMatchObject({ text: 'Plain' })
})
