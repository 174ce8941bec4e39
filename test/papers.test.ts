import { existsSync, globSync, readFileSync } from 'node:fs'
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
  expect(withSections.length).toBeGreaterThanOrEqual(4)
  expect(wrong).toEqual([])
})

/** A row of the tables that tell formula by formula: which paper, where it is, which tests fail if it is wrong. */
interface FormulaRow {
  readonly key: string
  readonly where: string
  readonly tests: string
}

const formulas: FormulaRow[] = page.split(/^## /m).flatMap((section) => {
  const keyOfSection = /^`(\w+)`$/m.exec(section)?.[1]
  const lines = section.split('\n').filter((line) => line.split(/(?<!\\)\|/).length === 7)
  return lines.slice(2).map((line) => {
    const [, first, , where, , tests] = line.split(/(?<!\\)\|/)
    return { key: keyOfSection ?? first.replace(/[` ]/g, ''), where, tests }
  })
})

/** Something that a row says is in a file. */
interface Mention {
  readonly path: string
  readonly name: string
}

/** "`a` and `b` in `file`", or "`a` in `file` and in `other`". */
function placesOf({ where }: FormulaRow): Mention[] {
  let names: string[] = []
  let isTold = false
  return Array.from(where.matchAll(/`([^`]+)`/g), ([, word]) => word).flatMap((word) => {
    if (word.endsWith('.ts')) {
      isTold = true
      return names.map((name) => ({ path: `src/${word}`, name }))
    }
    names = isTold ? [word] : [...names, word]
    isTold = false
    return []
  })
}

/** "`file`: “a”, “b”; `other`: “c”". */
function testsOf({ tests }: FormulaRow): Mention[] {
  return [...tests.matchAll(/`([^`]+\.test\.ts)`: ((?:“[^”]+”(?:, )?)+)/g)].flatMap(
    ([, path, names]) =>
      Array.from(names.matchAll(/“([^”]+)”/g), ([, name]) => ({ path: `src/${path}`, name })),
  )
}

const isDeclared = ({ path, name }: Mention): boolean =>
  existsSync(path) && new RegExp(`(?<![\\w#.])${name}(?=[(<:= ])`).test(readFileSync(path, 'utf8'))

const isTest = ({ path, name }: Mention): boolean =>
  existsSync(path) &&
  ["'", '"', '`'].some((mark) => readFileSync(path, 'utf8').includes(mark + name + mark))

test('every formula of docs/reference/papers.md is where the page says', () => {
  expect(formulas.length).toBeGreaterThanOrEqual(80)
  expect(formulas.filter((row) => placesOf(row).length === 0)).toEqual([])
  expect(formulas.flatMap(placesOf).filter((place) => !isDeclared(place))).toEqual([])
})

test('every formula of docs/reference/papers.md has tests of the names that the page says', () => {
  expect(formulas.filter((row) => testsOf(row).length === 0)).toEqual([])
  expect(formulas.flatMap(testsOf).filter((one) => !isTest(one))).toEqual([])
})

test('every function with a @paper tag is told of by the tables of its paper', () => {
  const told = new Set(
    formulas.flatMap((row) => placesOf(row).map(({ path }) => `${row.key} ${path}`)),
  )
  const untold = tags.filter(
    ({ key, path }) => !path.endsWith('.test.ts') && !told.has(`${key} ${path}`),
  )
  expect(untold).toEqual([])
})
