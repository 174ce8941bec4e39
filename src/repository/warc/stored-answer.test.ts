import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../temporary-folder.test-kit.ts'
import { storedAnswer } from './stored-answer.ts'
import { exchangeOf, NOON, openWriter } from './warc.test-kit.ts'

const url = 'https://a.example/'
const head = (more: string) => `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n${more}\r\n`

test('a revisit answers with its own head and the body of what it refers to', async () => {
  const folder = temporaryFolder()
  const writer = await openWriter(folder)
  const first = writer.append(exchangeOf('<p>words', { head: head('') }), { url })
  const hidden = { head: head('X-Robots-Tag: nosnippet\r\n'), startedAt: NOON + 9 }
  const second = writer.append(exchangeOf('<p>words', hidden), { url })
  await writer.close()
  expect(second.length).toBeGreaterThan(0)
  const answer = (await storedAnswer(folder, second))!
  expect(answer.body.toString()).toBe('<p>words')
  expect(answer.headers.get('x-robots-tag')).toBe('nosnippet')
  expect((await storedAnswer(folder, first))!.headers.has('x-robots-tag')).toBe(false)
  const path = join(folder, first.file)
  const bytes = readFileSync(path)
  bytes[first.offset + first.length - 12] ^= 1
  writeFileSync(path, bytes)
  for (const place of [first, second, { ...first, offset: first.offset + 1 }])
    expect(await storedAnswer(folder, place)).toBeUndefined()
  rmSync(path)
  expect(await storedAnswer(folder, first)).toBeUndefined()
})
