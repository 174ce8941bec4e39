import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { smallArchive } from '#archive/format/small-archive.test-kit.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { corpusGraph } from './corpus-graph.ts'

const [A, B, C, D] = ['a', 'b', 'c', 'd'].map((name) => `http://${name}.example/`)
const OUT = 'http://out.example/'
const WWW = 'http://www.b.example/'
const archive = archiveOf(
  smallArchive(
    2,
    {
      [A]: [
        {
          live: [0, 1],
          links: [
            [B, 'b'],
            [A, 'self'],
            [`${B}#again`, 'b again'],
            [OUT, 'out'],
          ],
        },
      ],
      [B]: [{ live: [0, 1], redirect: C }],
      [C]: [
        {
          live: [0, 1],
          links: [
            [D, 'd'],
            [A, 'a'],
            [WWW, 'www'],
          ],
        },
      ],
      [D]: [{ live: [1, 1], links: [[A, 'a']] }],
    },
    { robots: { 'www.b.example': 'User-agent: *\nDisallow: /' } },
  ),
)

const rowsOf = ({ facts: { links } }: ReturnType<typeof corpusGraph>) =>
  Array.from({ length: links.offsets.length - 1 }, (_, url) => [
    ...links.targets.subarray(links.offsets[url], links.offsets[url + 1]),
  ])

test('a base crawl numbers URLs as it finds them and keeps distinct links', () => {
  const graph = corpusGraph(new RecordedWeb(archive, 0), { seed: 7 })
  const { facts } = graph
  expect([...facts.candidates].map(graph.urlOf)).toEqual([A, B, OUT, C, D, WWW])
  expect(rowsOf(graph)).toEqual([[1, 2], [3], [], [4, 0, 5], [], []])
  expect([...facts.depths]).toEqual([0, 1, 1, 2, 3, 3])
  expect(facts.domains[5]).toBe(facts.domains[1])
  expect(new Set(facts.domains).size).toBe(5)
  expect(facts.seed).toBe(7)
  expect(graph.numberOf(D)).toBe(4)
  expect(graph.numberOf('http://unheard.example/')).toBeUndefined()
})

test('whatever robots.txt allows is requested, found or not', () => {
  const { facts } = corpusGraph(new RecordedWeb(archive, 0), { seed: 7 })
  expect([...facts.visits]).toEqual([0, 1, 2, 3, 4])
})

test('a limited base crawl knows URLs it has not requested', () => {
  const graph = corpusGraph(new RecordedWeb(archive, 0), { seed: 7, base: 2 })
  expect([...graph.facts.visits]).toEqual([0, 1])
  expect([...graph.facts.candidates].map(graph.urlOf)).toEqual([A, B, OUT, C])
  expect(rowsOf(graph)).toEqual([[1, 2], [3], [], []])
})

test('the graph is that of one snapshot', () => {
  expect(rowsOf(corpusGraph(new RecordedWeb(archive, 1), { seed: 7 }))[4]).toEqual([0])
})
