import { expect, test } from 'vitest'
import { Frontier } from '../frontier.ts'
import type { HostTally } from './address-chances.ts'

const SITE = 'https://a.org'

/** Addresses that were tried, each with whether anything was there. */
function tried(found: readonly string[], missing: readonly string[]) {
  const frontier = new Frontier()
  const { addresses } = frontier
  const add = (path: string) => frontier.add(`${SITE}${path}`, 'link', 1, 1)
  const chanceOf = (path: string) => addresses.of(Uint32Array.of(add(path)))?.[0] ?? 1
  for (const path of found) addresses.record(add(path), true)
  for (const path of missing) addresses.record(add(path), false)
  return { addresses, add, chanceOf }
}
const named = (folder: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${folder}name${String.fromCharCode(97 + i)}.html`)

test('where nothing was missing, no address is rated lower', () => {
  const { addresses, add, chanceOf } = tried(named('/a/', 5), [])
  expect(chanceOf('/a/new.html')).toBe(1)
  expect(addresses.of(Uint32Array.of(add('/b/')))).toBeUndefined()
  expect(addresses.evidenceFor(add('/a/new.html'))).toBeUndefined()
})

test('a host that was never asked is as likely to answer as others were when they were first asked', () => {
  const frontier = new Frontier()
  const { addresses } = frontier
  const add = (host: string, path = '/') => frontier.add(`https://${host}.org${path}`, 'link', 1, 1)
  const [seed, stranger] = [add('seed'), add('stranger')]
  const chances = () => [...(addresses.of(Uint32Array.of(seed, stranger)) ?? [1, 1])]
  addresses.record(seed, true)
  expect(chances()).toEqual([1, 1])
  for (let host = 0; host < 20; host++) addresses.record(add(`out${host}`), false)
  expect(chances()[0]).toBe(1)
  expect(chances()[1]).toBeLessThan(0.4)
  expect(addresses.evidenceFor(stranger)).toMatchObject({ found: 1, missing: 20 })
  for (let page = 0; page < 9; page++) addresses.record(add('out0', `/${page}`), false)
  expect(addresses.evidenceFor(stranger)).toMatchObject({ found: 1, missing: 20 })
  for (let host = 0; host < 20; host++) addresses.record(add(`in${host}`), true)
  expect(chances()[1]).toBeGreaterThan(0.5)
})

test('after a few failures a folder has little chance, and other folders keep theirs', () => {
  const { chanceOf } = tried(named('/docs/', 8), named('/usr/share/doc/', 4))
  expect(chanceOf('/usr/share/doc/other.html')).toBeLessThan(0.25)
  expect(chanceOf('/docs/other.html')).toBeGreaterThan(0.9)
  expect(chanceOf('/news/other.html')).toBeGreaterThan(0.4)
})

test('folders under a prefix that fail one by one speak for others under it', () => {
  const folders = ['library', 'tutorial', 'c-api', 'howto', 'using']
  const missing = folders.flatMap((folder) => named(`/usr/share/doc/${folder}/`, 3))
  const { chanceOf } = tried(named('/docs/', 8), missing)
  expect(chanceOf('/usr/share/doc/faq/x.html')).toBeLessThan(0.25)
  expect(chanceOf('/docs/faq/x.html')).toBeGreaterThan(0.8)
})

test('a long way to a folder makes its evidence no stronger', () => {
  const short = tried([], named('/a/', 2)).chanceOf('/a/x.html')
  const long = tried([], named('/a/b/c/d/e/', 2)).chanceOf('/a/b/c/d/e/x.html')
  expect(long).toBeCloseTo(short, 12)
})

test('a folder that failed recovers with successes', () => {
  const { addresses, add, chanceOf } = tried([], named('/a/', 20))
  const chances = named('/a/new', 8).map((path) => {
    addresses.record(add(path), true)
    return chanceOf('/a/x.html')
  })
  expect(chances).toEqual(chances.toSorted((a, b) => a - b))
  expect(chances[0]).toBeGreaterThan(0.1)
  expect(chances.at(-1)).toBeGreaterThan(0.4)
})

test('addresses of one script are judged together', () => {
  const { chanceOf } = tried(
    named('/', 5),
    [1, 2, 3, 4].map((id) => `/item?id=${id}`),
  )
  expect(chanceOf('/item?id=99')).toBeLessThan(0.25)
  expect(chanceOf('/list?id=99')).toBeGreaterThan(0.7)
})

test('the evidence names the widest prefix under which nothing was found', () => {
  const { addresses, add } = tried(named('/docs/', 8), [
    ...named('/usr/share/doc/a/', 3),
    ...named('/usr/share/doc/b/', 4),
  ])
  const evidence = addresses.evidenceFor(add('/usr/share/doc/a/x.html'))
  expect(evidence).toMatchObject({ prefix: `${SITE}/usr/`, found: 0, missing: 7 })
  expect(evidence!.chance).toBeLessThan(0.25)
  const mixed = addresses.evidenceFor(add('/docs/x.html'))
  expect(mixed).toMatchObject({ prefix: `${SITE}/docs/`, found: 8, missing: 0 })
})

test('any address has a folder', () => {
  const { addresses, add } = tried(
    ['/', '//', '/?', '/a//b', '/?x=/y', `/${'a/'.repeat(900)}`],
    ['/z'],
  )
  for (const path of ['', '/', '/?q', '///', '/a?b/c?d'])
    expect(addresses.of(Uint32Array.of(add(path)))![0]).toBeGreaterThan(0)
})

test('where the hosts here are some of many, they are judged by what became of all', () => {
  const all = new Frontier()
  const parts = [new Frontier(), new Frontier()]
  const add = (frontier: Frontier, host: string) =>
    frontier.add(`https://${host}.org/x`, 'link', 1, 1)
  for (let host = 0; host < 30; host++)
    for (const frontier of [all, parts[host % 2]])
      frontier.addresses.record(add(frontier, `h${host}`), host % 4 !== 0)
  const tallies = parts.map(({ addresses }) => addresses.tally)
  expect(tallies[1].missing).toBe(0)
  const sum = (name: keyof HostTally) => tallies[0][name] + tallies[1][name]
  const whole = {
    ...{ found: sum('found'), missing: sum('missing') },
    ...{ firstFound: sum('firstFound'), firstMissing: sum('firstMissing') },
  }
  expect(whole).toEqual(all.addresses.tally)
  for (const frontier of [all, ...parts]) frontier.addresses.judgeBy(whole)
  const chances = [all, ...parts].map((frontier) =>
    frontier.addresses.of(Uint32Array.of(add(frontier, 'stranger'))),
  )
  expect(chances[0]![0]).toBeCloseTo((22 + 9) / (30 + 9), 12)
  expect(chances[1]).toEqual(chances[0])
  expect(chances[2]).toEqual(chances[0])
  expect(parts[1].addresses.evidenceFor(add(parts[1], 'stranger'))).toMatchObject({
    ...{ found: 22, missing: 8 },
  })
})
