import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Reply, type Validators, ValidatorsTrust } from './validators-trust.ts'

const HOST = 'a.example'
const DAY = 86_400
const known: Validators = { etag: '"v1"', lastModified: 'Sun, 01 Mar 2026 00:00:00 GMT' }

/** A server: what it answers to a validator, and how its page is at the moment. */
type Server = (validators: Validators | undefined) => Reply

/** Visits one page of the host so many times; gives what was asked each time. */
function visit(trust: ValidatorsTrust, server: Server, times: number, now = 0): string[] {
  return Array.from({ length: times }, () => {
    const { kind, validators } = trust.ask(HOST, known, now)
    trust.learn(HOST, kind, server(validators), now)
    return kind
  })
}

const honest: Server = (validators) => (validators?.etag === known.etag ? 'unchanged' : 'same')
const always304: Server = (validators) => (validators ? 'unchanged' : 'changed')
const never304: Server = () => 'same'

test('who answers 304 to anything is found out by the first probe, and asked plainly from then on', () => {
  const trust = new ValidatorsTrust()
  expect(visit(trust, always304, 5)).toEqual(['known', 'probe', 'none', 'none', 'none'])
  expect(trust.isDistrusted(HOST, 0)).toBe(true)
})

test('the 304 that gives a liar away is not to be believed', () => {
  const trust = new ValidatorsTrust()
  expect(trust.learn(HOST, 'known', 'unchanged', 0)).toBe(true)
  expect(trust.learn(HOST, 'probe', 'unchanged', 0)).toBe(false)
})

test('an honest host is probed ever more rarely', () => {
  const kinds = visit(new ValidatorsTrust(), honest, 5_000)
  const probes = kinds.flatMap((kind, i) => (kind === 'probe' ? [i] : []))
  expect(probes.slice(0, 5)).toEqual([1, 18, 83, 340, 1341])
  expect(kinds).not.toContain('none')
})

test('a host that never answers 304 is noted, and still asked', () => {
  const trust = new ValidatorsTrust()
  expect(visit(trust, never304, 4)).toEqual(Array(4).fill('known'))
  expect(trust.neverAnswers304(HOST)).toBe(false)
  visit(trust, never304, 1)
  expect(trust.neverAnswers304(HOST)).toBe(true)
  expect(trust.ask(HOST, known, 0)).toEqual({ kind: 'known', validators: known })
})

test('a host whose validators stay while its pages change is distrusted, unless it mends', () => {
  const trust = new ValidatorsTrust()
  for (const reply of ['stale', 'stale', 'changed', 'changed', 'stale', 'stale'] as const)
    trust.learn(HOST, 'probe', reply, 0)
  expect(trust.isDistrusted(HOST, 0)).toBe(false)
  trust.learn(HOST, 'probe', 'stale', 0)
  expect(trust.isDistrusted(HOST, 0)).toBe(true)
})

test('a liar gets another chance after a month', () => {
  const trust = new ValidatorsTrust()
  visit(trust, always304, 3)
  expect(trust.ask(HOST, known, 29 * DAY).kind).toBe('none')
  expect(trust.ask(HOST, known, 30 * DAY).kind).toBe('known')
  visit(trust, honest, 3, 30 * DAY)
  expect(trust.isDistrusted(HOST, 30 * DAY)).toBe(false)
})

test('a probe uses the kind of validator that the host knows', () => {
  const trust = new ValidatorsTrust()
  trust.learn(HOST, 'known', 'unchanged', 0)
  expect(trust.ask(HOST, { etag: '"v1"' }, 0).validators).toEqual({
    etag: expect.stringMatching(/^"forager/),
  })
  expect(trust.ask(HOST, { lastModified: known.lastModified }, 0).validators).toEqual({
    lastModified: 'Thu, 01 Jan 1970 00:00:00 GMT',
  })
})

test('a copy without validators is asked for plainly, and other hosts are not judged alike', () => {
  const trust = new ValidatorsTrust()
  visit(trust, always304, 3)
  expect(trust.ask('b.example', undefined, 0)).toEqual({ kind: 'none' })
  expect(trust.ask('b.example', {}, 0)).toEqual({ kind: 'none' })
  expect(trust.ask('b.example', known, 0).kind).toBe('known')
})

test('what is known survives being written down', () => {
  const kind = fc.constantFrom('known', 'probe', 'none')
  const reply = fc.constantFrom<Reply>('unchanged', 'same', 'changed', 'stale')
  fc.assert(
    fc.property(fc.array(fc.tuple(kind, reply)), (events) => {
      const trust = new ValidatorsTrust()
      for (const [asked, answer] of events) trust.learn(HOST, asked, answer, 5)
      const restored = new ValidatorsTrust(JSON.parse(JSON.stringify(trust.entries())))
      expect(restored.entries()).toEqual(trust.entries())
      expect(restored.ask(HOST, known, 6)).toEqual(trust.ask(HOST, known, 6))
    }),
  )
})
