import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const page = readFileSync('docs/reference/conformance.md', 'utf8')
const TEST_FILE = /(?:test\/)?[\w/.-]+\.test\.ts/

/** Test files with the words of their tests, as in `a.test.ts › no cookies; b.test.ts`. */
function testsNamedIn(text: string): { file: string; titles: string[] }[] {
  const pieces = text.split(new RegExp(`(?<![\\w/])(${TEST_FILE.source})`)).slice(1)
  return pieces.flatMap((file, i) =>
    i % 2 === 1 ? [] : [{ file: placeOf(file), titles: titlesIn(pieces[i + 1]) }],
  )
}

function placeOf(file: string): string {
  return file.startsWith('test/') ? file : `src/${file}`
}

function titlesIn(after: string): string[] {
  const [list] = after.split(/[|;\n]/)
  return list
    .split('›')
    .slice(1)
    .map((title) => title.trim().replace(/,$/, ''))
}

function missingTests(text: string): string[] {
  return testsNamedIn(text).flatMap(({ file, titles }) => {
    if (!existsSync(file)) return [file]
    const source = readFileSync(file, 'utf8').replaceAll("\\'", "'")
    const isThere = (title: string) =>
      title.split('…').every((piece) => source.includes(piece.trim()))
    return titles.filter((title) => !isThere(title)).map((title) => `${file} › ${title}`)
  })
}

test('every test that docs/reference/conformance.md names is there, with the words it gives', () => {
  const named = testsNamedIn(page)
  expect(named.length).toBeGreaterThan(50)
  expect(named.flatMap(({ titles }) => titles).length).toBeGreaterThan(30)
  expect(missingTests(page)).toEqual([])
})

test('a test file or title that is not there is named', () => {
  const row = '| x | test/papers.test.ts › none such, parse/no-such.test.ts |'
  expect(missingTests(row)).toEqual([
    'test/papers.test.ts › none such',
    'src/parse/no-such.test.ts',
  ])
})
