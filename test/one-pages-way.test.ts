import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'

const ROW = /^\| ([a-z, ]+) \| (\d+) \| (\d+) \| (\d+) \| (\*\*.*) \|$/gm

/** The stages of one page's way, as docs/architecture.md counts them. */
function stages() {
  const page = readFileSync('docs/architecture.md', 'utf8')
  return [...page.matchAll(ROW)].map(([, name, steps, added, crossings, way]) => {
    const rooms = way.split(' · ').map((part) => {
      const [, room, files] = /^\*\*(\w+)\*\* (.*)$/.exec(part)!
      return { room, files: files.split(', ') }
    })
    return { name, steps: Number(steps), added: Number(added), crossings: Number(crossings), rooms }
  })
}

test('every file on one page’s way is in its room, and steps and crossings are as many as counted', () => {
  const files = new Set(
    globSync('src/**/*.ts').map((file) => `${file.split('/')[1]} ${basename(file, '.ts')}`),
  )
  const found = stages()
  expect(found.length).toBe(9)
  let last: string | undefined
  const all = { steps: 0, added: 0, crossings: 0, files: new Set<string>() }
  for (const { name, steps, added, crossings, rooms } of found) {
    const written = rooms.flatMap(({ room, files }) => files.map((file) => `${room} ${file}`))
    // What the first edition did not do is in italics.
    const named = written.map((file) => file.replace(/ _(.*)_$/, ' $1'))
    const inItalics = named.filter((file, i) => file !== written[i])
    expect(named.filter((file) => !files.has(file))).toEqual([])
    const entered = rooms.filter(({ room }) => {
      const isCrossing = last !== undefined && room !== last
      last = room
      return isCrossing
    })
    expect({ name, steps, added, crossings }).toEqual({
      ...{ name, steps: named.length, added: inItalics.length, crossings: entered.length },
    })
    all.steps += steps
    all.added += added
    all.crossings += crossings
    for (const file of named) all.files.add(file)
  }
  const line = `| all | ${all.steps} | ${all.added} | ${all.crossings} | ${all.files.size} files |`
  expect(readFileSync('docs/architecture.md', 'utf8')).toContain(line)
})
