import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '..', 'docs', 'results', 'figures')
const figures = globSync('*.svg', { cwd: folder })
const documents = globSync('../*.md', { cwd: folder }).map((file) =>
  readFileSync(join(folder, file), 'utf8'),
)

test.each(figures)('%s is a picture on its own, and a document shows it', (figure) => {
  const svg = readFileSync(join(folder, figure), 'utf8')
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^>]*><style>/)
  expect(svg.trimEnd()).toMatch(/<\/svg>$/)
  expect(documents.some((text) => text.includes(`figures/${figure}`))).toBe(true)
})
