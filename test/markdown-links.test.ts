import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const documents = globSync('**/*.md', {
  exclude: (path) => /(^|\/)(node_modules|dist)(\/|$)/.test(String(path)),
})

test.each(documents)('every relative link in %s leads somewhere', (path) => {
  const text = readFileSync(path, 'utf8').replace(/```[\s\S]*?```/g, '')
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target)
  const broken = targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => !leadsSomewhere(path, target))
  expect(broken).toEqual([])
})

function leadsSomewhere(document: string, target: string): boolean {
  const [file, heading] = target.split('#')
  const path = file === '' ? document : join(dirname(document), file)
  if (!existsSync(path)) return false
  return heading === undefined || anchorsOf(path).includes(heading)
}

test('documents that programs and examples name are there', () => {
  const files = globSync('{bench,bin,deploy,examples,scripts,src}/**/*', { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const broken = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bdocs\/[\w/-]+\.md\b/g)]
      .filter(([named]) => !existsSync(named))
      .map(([named]) => `${file}: ${named}`),
  )
  expect(files.length).toBeGreaterThan(1000)
  expect(broken).toEqual([])
})

/** Headings as GitHub turns them into anchors. */
function anchorsOf(path: string): string[] {
  return [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

test('every document can be reached by links from the README', () => {
  const reached = new Set(['README.md'])
  for (const document of reached)
    for (const target of documentsLinkedFrom(document)) reached.add(target)
  const apart = documents.filter((path) => /^docs\/|^[^/]+$/.test(path) && !reached.has(path))
  expect(apart).toEqual([])
})

function documentsLinkedFrom(document: string): string[] {
  const text = readFileSync(document, 'utf8').replace(/```[\s\S]*?```/g, '')
  return [...text.matchAll(/\]\(([^)\s#]+\.md)(?:#[^)]*)?\)/g)]
    .map(([, target]) => join(dirname(document), target))
    .filter((path) => existsSync(path))
}
