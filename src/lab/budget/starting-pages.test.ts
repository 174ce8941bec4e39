import { expect, test } from 'vitest'
import { seededRandom } from '#numeric/random.ts'
import { modelWorld, pageNamed, smallWorld } from './small-world.test-kit.ts'
import { startingPages } from './starting-pages.ts'

const world = modelWorld(5, 500, 6)
const start = (share: number, seed = 1) => startingPages(world, share, seededRandom(seed))

test('so many of the first pages are held, each once, and all of them are there', () => {
  for (const share of [0.2, 0.8]) {
    const pages = start(share)
    expect(new Set(pages).size).toBe(Math.round(share * world.liveCounts[0]))
    for (const page of pages) expect(world.bornAt[page]).toBe(0)
  }
})

test('a page is held after one that links to it, a larger start goes on where a smaller one ended', () => {
  const pages = start(0.5)
  expect(start(0.8).slice(0, pages.length)).toEqual(pages)
  expect(start(0.5, 2)).not.toEqual(pages)
  const known = new Set(world.seeds)
  for (const page of pages) {
    expect(known).toContain(page)
    world.archive.forEachLink(world.versionAt(page, 0)!, (link) =>
      known.add(world.links.pages[link]),
    )
  }
})

test('where no link leads on, a stranger is drawn', () => {
  const islands = smallWorld(
    2,
    {
      home: [{ live: [0, 1], text: ['tea'] }],
      island: [{ live: [0, 1], text: ['tea'] }],
      later: [{ live: [1, 1], text: ['tea'] }],
    },
    { tea: 1 },
  )
  expect(startingPages(islands, 1, seededRandom(1))).toEqual([
    pageNamed(islands, 'home'),
    pageNamed(islands, 'island'),
  ])
})
