import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const document = readFileSync('docs/reference/conformance.md', 'utf8')
const files = [...document.matchAll(/(?<![\w/])((?:test\/)?[\w/.-]+\.test\.ts)/g)].map(
  ([, file]) => file,
)

test('every test that docs/reference/conformance.md names is there', () => {
  const missing = files.filter(
    (file) => !existsSync(file.startsWith('test/') ? file : `src/${file}`),
  )
  expect(files.length).toBeGreaterThan(50)
  expect([...new Set(missing)]).toEqual([])
})
