import { appendFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { cases } from '#numeric/cases.test-kit.ts'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { type Metadata, UrlLedger } from './url-ledger.ts'

let root: string
let path: string
beforeEach(() => {
  root = temporaryFolder()
  path = join(root, 'urls.jsonl')
})

const URLS = Array.from({ length: 6 }, (_, i) => `https://${'abc'[i % 3]}.org/${i}`)
const keyOf = (url: string) => new URL(url).host

type Step = readonly [
  what: 'put' | 'hold' | 'settle' | 'drop' | 'rules',
  url: number,
  value: number,
]
const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom('put', 'hold', 'settle', 'drop', 'rules'),
  fc.nat(URLS.length - 1),
  fc.nat(5),
)

function take(ledger: UrlLedger, [what, number, value]: Step): void {
  const url = URLS[number]
  const meta: Metadata = value > 2 ? { a: [`${value}`, 'é'] } : {}
  if (what === 'put') ledger.put(url, { key: keyOf(url), meta, due: value % 3, at: 100 + value })
  else if (what === 'hold') ledger.hold([url], 1_000 + value, 100 + value)
  else if (what === 'settle') ledger.settle(url, 200)
  else if (what === 'drop') ledger.drop([url])
  else ledger.setRules(keyOf(url), { delay: value })
}

/** All that can be asked of a ledger. */
function whatItHolds(ledger: UrlLedger) {
  return {
    urls: URLS.map((url) => {
      const { place: _, ...known } = ledger.of(url) ?? {}
      return { known, meta: ledger.metadataOf(url), dropped: ledger.isDropped(url, keyOf(url)) }
    }),
    queues: [...ledger.queues()]
      .map(([key, { urls, completed }]) => ({ key, urls: [...urls].sort(), completed }))
      .sort((a, b) => (a.key < b.key ? -1 : 1)),
    held: [...ledger.held()].sort(),
    rules: URLS.map((url) => ledger.rulesOf(keyOf(url))),
  }
}

test('a ledger that is opened again holds what it held, and counts are those of its URLs', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      rmSync(path, { force: true })
      const ledger = new UrlLedger(path)
      for (const one of steps) take(ledger, one)
      const before = whatItHolds(ledger)
      for (const { key, urls, completed } of before.queues) {
        const known = URLS.filter((url) => ledger.of(url)?.key === key)
        expect(urls).toEqual(known.sort())
        expect(completed).toBe(known.filter((url) => ledger.of(url)!.due === 0).length)
      }
      ledger.close()
      const again = new UrlLedger(path)
      expect(whatItHolds(again)).toEqual(before)
      again.close()
    }),
    { numRuns: cases(50, 1000) },
  )
})

test('lines that say nothing any more go when it is opened, and nothing else does', () => {
  const ledger = new UrlLedger(path)
  for (let round = 0; round < 2_100; round++)
    for (const [number] of URLS.entries()) take(ledger, ['put', number, 3 + (round % 3)])
  take(ledger, ['hold', 1, 1])
  take(ledger, ['rules', 2, 4])
  const before = whatItHolds(ledger)
  ledger.close()
  const size = statSync(path).size
  const compacted = new UrlLedger(path)
  expect(whatItHolds(compacted)).toEqual(before)
  compacted.close()
  expect(statSync(path).size).toBeLessThan(size / 100)
  const again = new UrlLedger(path)
  expect(whatItHolds(again)).toEqual(before)
  again.close()
})

test('a line that a kill cut short is dropped; a damaged one is named', () => {
  const ledger = new UrlLedger(path)
  take(ledger, ['put', 0, 1])
  ledger.close()
  const whole = readFileSync(path)
  appendFileSync(path, '{"url":"https://a.org/', 'utf8')
  const again = new UrlLedger(path)
  expect(again.size).toBe(1)
  again.close()
  expect(readFileSync(path)).toEqual(whole)
  writeFileSync(path, 'nonsense\n')
  expect(() => new UrlLedger(path)).toThrow(/urls\.jsonl is damaged/)
})
