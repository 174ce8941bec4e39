import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { forager } from './forager-process.ts'

/** Files that are loaded with one, before any command asks for more. */
function loadedWith(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen
  seen.add(path)
  const source = readFileSync(path, 'utf8')
  for (const [, target] of source.matchAll(
    /^(?:import|export) (?!type\b)[^'=(]*'([.#][^']+\.ts)'/gm,
  ))
    loadedWith(
      target.startsWith('#') ? target.replace('#', 'src/') : join(dirname(path), target),
      seen,
    )
  return seen
}

test('the command line loads nothing but the command that was called', () => {
  const loaded = [...loadedWith('src/app/cli/main.ts')].map((path) => path.replace('src/', ''))
  const rooms = /^(?:crawl|fetch|repository|policy|search|lab)\//
  expect(loaded.filter((path) => rooms.test(path))).toEqual([])
  expect(loaded.length).toBeLessThan(12)
})

test('a crawl whose workers fetch loads no client of HTTP on the thread that plans', () => {
  const loaded = [...loadedWith('src/app/cli/crawl/crawl-command.ts')]
  const isClient = (path: string) => /^import .* from 'undici'/m.test(readFileSync(path, 'utf8'))
  expect(loaded).toContain('src/fetch/thread/threaded-fetcher.ts')
  expect(loaded.filter((path) => path.endsWith('.ts') && isClient(path))).toEqual([])
})

test('help of a command can be asked for in two ways', async () => {
  const [one, other] = await Promise.all([
    forager('help', 'lab', 'generate'),
    forager('lab', 'generate', '--help'),
  ])
  expect(one).toEqual(other)
  expect(one.stdout).toMatch(/--weeks/)
})
