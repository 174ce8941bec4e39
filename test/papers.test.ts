import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const tags = globSync('src/**/*.ts').flatMap((path) =>
  [...readFileSync(path, 'utf8').matchAll(/@paper\s+(\S+)([^\n]*)/g)].map(([, key, rest]) => ({
    path,
    key,
    rest,
  })),
)
const page = readFileSync('docs/reference/papers.md', 'utf8')
const rows = [...page.matchAll(/^\| `(\w+)` \|.*\| (yes|–) \|$/gm)]
const entries = rows.map(([, key]) => key)
const withSections = rows.filter(([, , sections]) => sections === 'yes').map(([, key]) => key)

test('every @paper tag names an entry of docs/reference/papers.md', () => {
  expect(tags.filter(({ key }) => !entries.includes(key))).toEqual([])
})

test('every entry of docs/reference/papers.md is implemented somewhere', () => {
  const used = new Set(tags.map(({ key }) => key))
  expect(entries.filter((key) => !used.has(key))).toEqual([])
})

test('a @paper tag says which section where the text could be looked up, and only there', () => {
  const wrong = tags.filter(({ key, rest }) => rest.includes('§') !== withSections.includes(key))
  expect(withSections.length).toBeGreaterThanOrEqual(5)
  expect(wrong).toEqual([])
})
