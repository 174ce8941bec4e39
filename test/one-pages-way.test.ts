import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'

const ROW = /^\| ([a-z, ]+) \| (\d+) \| (\d+) \| (\*\*.*) \|$/gm

/** The stages of one page's way, as docs/architecture.md counts them. */
function stages() {
  const page = readFileSync('docs/architecture.md', 'utf8')
  return [...page.matchAll(ROW)].map(([, name, steps, crossings, way]) => {
    const rooms = way.split(' · ').map((part) => {
      const [, room, files] = /^\*\*(\w+)\*\* (.*)$/.exec(part)!
      return { room, files: files.split(', ') }
    })
    return { name, steps: Number(steps), crossings: Number(crossings), rooms }
  })
}

test('every file on one page’s way is in its room, and steps and crossings are as many as counted', () => {
  const files = new Set(
    globSync('src/**/*.ts').map((file) => `${file.split('/')[1]} ${basename(file, '.ts')}`),
  )
  const found = stages()
  expect(found.length).toBe(9)
  let last: string | undefined
  const all = { steps: 0, crossings: 0, files: new Set<string>() }
  for (const { name, steps, crossings, rooms } of found) {
    const named = rooms.flatMap(({ room, files }) => files.map((file) => `${room} ${file}`))
    expect(named.filter((file) => !files.has(file))).toEqual([])
    const entered = rooms.filter(({ room }) => {
      const isCrossing = last !== undefined && room !== last
      last = room
      return isCrossing
    })
    expect({ name, steps, crossings }).toEqual({
      ...{ name, steps: named.length, crossings: entered.length },
    })
    all.steps += steps
    all.crossings += crossings
    for (const file of named) all.files.add(file)
  }
  const line = `| all | ${all.steps} | ${all.crossings} | ${all.files.size} files |`
  expect(readFileSync('docs/architecture.md', 'utf8')).toContain(line)
})
