import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const tags = globSync('src/**/*.ts').flatMap((path) =>
  [...readFileSync(path, 'utf8').matchAll(/@paper\s+(\S+)([^\n]*)/g)].map(([, key, rest]) => ({
    path,
    key,
    rest,
  })),
)
const entries = [...readFileSync('docs/reference/papers.md', 'utf8').matchAll(/^\| `(\w+)` +\|/gm)].map(
  ([, key]) => key,
)

test('every @paper tag names an entry of docs/reference/papers.md', () => {
  expect(tags.filter(({ key }) => !entries.includes(key))).toEqual([])
})

test('every entry of docs/reference/papers.md is implemented somewhere', () => {
  const used = new Set(tags.map(({ key }) => key))
  expect(entries.filter((key) => !used.has(key))).toEqual([])
})

test('every @paper tag says which section', () => {
  expect(tags.filter(({ rest }) => !rest.includes('§'))).toEqual([])
})
