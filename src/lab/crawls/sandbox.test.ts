import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { smallArchive } from '#archive/format/small-archive.test-kit.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { Sandbox } from './sandbox.ts'

const urlOf = (name: string) => `http://${name}.example/`
const linksTo = (...names: string[]) => ({
  live: [0, 0] as const,
  links: names.map((name): [string, string] => [urlOf(name), name]),
})
// s links to a, the moved b, the forbidden c and what is not there; a and the end of the redirect go on.
const archive = archiveOf(
  smallArchive(
    1,
    {
      [urlOf('s')]: [linksTo('a', 'moved', 'forbidden', 'nowhere', 'a', 's')],
      [urlOf('a')]: [linksTo('s', 'deep')],
      [urlOf('moved')]: [{ live: [0, 0], redirect: urlOf('b') }],
      [urlOf('b')]: [linksTo('deep')],
      [urlOf('forbidden')]: [linksTo('a')],
      [urlOf('deep')]: [linksTo()],
    },
    { robots: { 'forbidden.example': 'User-agent: *\nDisallow: /' } },
  ),
)
const sandboxOf = () => new Sandbox(new RecordedWeb(archive, 0))
const namesOf = (sandbox: Sandbox, urls: Iterable<number>) =>
  Array.from(urls, (url) => sandbox.urlOf(url).slice('http://'.length, -'.example/'.length))

test('a breadth-first crawl holds documents in the order of their fetches, redirects counted', () => {
  const sandbox = sandboxOf()
  expect(namesOf(sandbox, sandbox.breadthFirst(10))).toEqual(['s', 'a', 'moved', 'deep', 'b'])
  const small = sandboxOf()
  expect(namesOf(small, small.breadthFirst(3))).toEqual(['s', 'a', 'moved'])
})

test('what robots.txt forbids and what is not there give no document', () => {
  const sandbox = sandboxOf()
  const gives = (name: string) => sandbox.gives(sandbox.add(urlOf(name)))
  expect(['a', 'moved', 'forbidden', 'nowhere'].map(gives)).toEqual([true, true, false, false])
})

test('a URL is requested once, whoever asks', () => {
  const sandbox = sandboxOf()
  const a = sandbox.add(urlOf('a'))
  sandbox.gives(a)
  sandbox.gives(a)
  expect(sandbox.requested).toBe(1)
  // s, a, moved, forbidden, nowhere, deep, b: all there is.
  sandbox.breadthFirst(10)
  expect(sandbox.requested).toBe(7)
  sandbox.breadthFirst(10)
  expect(sandbox.requested).toBe(7)
})

test("a corpus's graph has its own pages first and the links of these only", () => {
  const sandbox = sandboxOf()
  sandbox.breadthFirst(10)
  const corpus = Uint32Array.from(['moved', 's'], (name) => sandbox.find(urlOf(name))!)
  const { facts, urls } = sandbox.graphOf(corpus, 4)
  // What a links to is known to the sandbox, but not to a corpus without a.
  expect(namesOf(sandbox, urls)).toEqual(['moved', 's', 'b', 'a', 'forbidden', 'nowhere'])
  const { offsets, targets } = facts.links
  const rows = Array.from(urls, (_, url) => [...targets.subarray(offsets[url], offsets[url + 1])])
  expect(rows).toEqual([[2], [3, 0, 4, 5], [], [], [], []])
  expect([...facts.visits]).toEqual([0, 1])
  expect([...facts.candidates]).toEqual([0, 1, 2, 3, 4, 5])
  expect([...facts.depths]).toEqual([1, 0, 2, 1, 1, 1])
  expect(facts.seed).toBe(4)
  expect(new Set(facts.domains).size).toBe(6)
})

test('what a corpus without the seeds links to is as far away as can be', () => {
  const sandbox = sandboxOf()
  sandbox.breadthFirst(10)
  const { facts } = sandbox.graphOf(Uint32Array.of(sandbox.find(urlOf('b'))!), 1)
  expect([...facts.depths]).toEqual([0xffff, 0xffff])
})
