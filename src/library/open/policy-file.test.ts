import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import { someFacts } from '#policy/facts/facts.ts'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { readPolicyFiles } from './policy-file.ts'

let dir: string
beforeEach(() => {
  dir = temporaryFolder()
})

/** Bids for what it finds first, after turning all it was given upside down. */
const CARELESS = `export default function ({ candidates, links, ...columns }) {
  for (const column of [candidates, ...Object.values(links), ...Object.values(columns)])
    if (typeof column === 'object') column.fill(7)
  return { purpose: 'acquire', urls: new Uint32Array([1]), gains: new Float64Array([1]), why: () => '' }
}
`

test('a policy file that writes into its facts spoils nothing', async () => {
  const frontier = new Frontier()
  for (const page of [0, 1]) frontier.add(`https://a.org/${page}`, 'seed', 0, 1)
  frontier.visit(0, { state: 'page', at: 1 })
  const row = { targets: Uint32Array.of(1), anchors: Uint32Array.of(0), rels: Uint8Array.of(0) }
  frontier.replaceLinks(0, row)
  const file = join(dir, 'careless.js')
  writeFileSync(file, CARELESS)
  const notes: string[] = []
  const { own, registry } = await readPolicyFiles([file], (text) => void notes.push(text))
  const facts = frontier.graphFacts(2, 1)
  expect([...own[0].bids(someFacts({ ...facts, now: 2, budget: 1 })).urls]).toEqual([1])
  expect(registry.named('careless')).toBe(own[0])
  expect(notes).toEqual([expect.stringMatching(/a function alone is out of date/)])
  expect(facts).toEqual(frontier.graphFacts(2, 1))
  expect([...facts.candidates, ...facts.links.targets, ...facts.hosts]).toEqual([1, 1, 0, 0])
  expect([...facts.domains, ...facts.depths, ...facts.visits]).toEqual([0, 0, 0, 0, 0])
})
