import { createHmac } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { scriptedServer } from '#fetch/scripted-server.test-kit.ts'
import type { CrawlNote } from '../open/crawl-note.ts'
import type { PageRow } from './page-row.ts'
import { signatureOf, webhook } from './webhook.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

function rowOf(position: number): PageRow {
  return {
    ...{ position, url: `https://a.example/${position}`, host: 'a.example', state: 'page' },
    ...{ event: 'new', since: `2026-11-18T03:00:00.${`${position}`.padStart(3, '0')}Z` },
    ...{ form: 'page', content_at: '2026-11-18T03:00:00.000Z', noindex: false, soft_error: false },
    ...{ title: `Page ${position}`, text: 'never sent' },
  }
}

/** A receiver that answers with these statuses in turn, then with 204. */
async function receiver(...answers: readonly (number | [status: number, retryAfter: string])[]) {
  const heard: { id: string; signature: string; timestamp: string; body: string }[] = []
  const server = await scriptedServer(async (request, response) => {
    const { headers } = request
    const answer = answers[heard.length] ?? 204
    heard.push({
      id: String(headers['webhook-id']),
      signature: String(headers['webhook-signature']),
      timestamp: String(headers['webhook-timestamp']),
      body: await text(request),
    })
    const [status, after] = typeof answer === 'number' ? [answer] : answer
    response.writeHead(status, after === undefined ? {} : { 'retry-after': after }).end()
  })
  const waits: number[] = []
  const notes: CrawlNote[] = []
  const target = webhook({
    url: `http://127.0.0.1:${server.port}/hook?token=hidden`,
    ...{ secret: SECRET, now: () => 1_800_000_000.7 },
    wait: async (ms) => void waits.push(ms),
    note: (note) => notes.push(note),
  })
  return { heard, waits, notes, target, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

test('the signature is that of the example which Standard Webhooks prints', () => {
  const body = '{"test": 2432232314}'
  expect(signatureOf(SECRET, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, body)).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  )
  const plain = createHmac('sha256', 'word').update('m.1.{}').digest('base64')
  expect(signatureOf('word', 'm', 1, '{}')).toBe(`v1,${plain}`)
})

test('pages go out by the hundred, signed, without texts, and the name has no secrets', async () => {
  await using told = await receiver()
  await told.target.deliver(Array.from({ length: 150 }, (_, i) => rowOf(i)))
  expect(told.heard.map(({ body }) => JSON.parse(body).data.pages.length)).toEqual([100, 50])
  const [{ id, timestamp, signature, body }] = told.heard
  expect(timestamp).toBe('1800000000')
  expect(signature).toBe(signatureOf(SECRET, id, 1_800_000_000, body))
  const { type, timestamp: at, data } = JSON.parse(body)
  expect({ type, at }).toEqual({ type: 'pages.changed', at: '2026-11-18T03:00:00.099Z' })
  expect(data.pages[0]).toMatchObject({ position: 0, event: 'new', title: 'Page 0' })
  expect(body).not.toContain('never sent')
  expect(told.target.name).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/hook$/)
})

test('busy and broken receivers are tried again, later and later, with the same id', async () => {
  await using told = await receiver(503, [429, '120'], 500, 408)
  await told.target.deliver([rowOf(1)])
  expect(told.heard.length).toBe(5)
  expect(new Set(told.heard.map(({ id }) => id)).size).toBe(1)
  expect(told.waits.length).toBe(4)
  expect(told.waits[0]).toBeLessThanOrEqual(1_000)
  expect(told.waits[1]).toBe(120_000)
  expect(told.waits[3]).toBeGreaterThanOrEqual(4_000)
  await told.target.deliver([rowOf(1)])
  expect(told.heard[5].id).toBe(told.heard[0].id)
  await told.target.deliver([rowOf(2)])
  expect(told.heard[6].id).not.toBe(told.heard[0].id)
})

test.each([400, 401, 410, 302])('a receiver that answers %d is not asked twice', async (status) => {
  await using told = await receiver(status)
  const refused = told.target.deliver([rowOf(1)])
  await expect(refused).rejects.toMatchObject({ isRefusal: true })
  expect(told.waits).toEqual([])
})

test('who never answers well is given up after ten tries', async () => {
  await using told = await receiver(...Array.from({ length: 20 }, () => 500))
  await expect(told.target.deliver([rowOf(1)])).rejects.toThrow(/does not answer well: status 500/)
  expect(told.heard.length).toBe(10)
  expect(told.notes.length).toBe(9)
  const { name: of } = told.target
  expect(told.notes[8]).toEqual({
    ...{ kind: 'tries again', of, fault: 'status 500', afterMs: told.waits[8] },
  })
})
