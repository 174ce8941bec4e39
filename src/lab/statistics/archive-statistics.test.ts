import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { smallArchive } from '#archive/format/small-archive.test-kit.ts'
import { archiveStatistics, distributionOf } from './archive-statistics.ts'

const pageOf = (name: string) => `http://a.example/${name}`
const linksTo = (...names: string[]) => names.map((n): [string, string] => [pageOf(n), `to ${n}`])

const archive = archiveOf(
  smallArchive(2, {
    [pageOf('home')]: [
      { live: [0, 0], title: 'Home', text: ['12345'], links: linksTo('about') },
      {
        live: [1, 1],
        title: 'Home',
        text: ['12345'],
        boilerplate: ['news!'],
        links: [...linksTo('about', 'about', 'home', 'new1'), ['http://b.example/', '']],
      },
    ],
    [pageOf('about')]: [
      { live: [0, 0], text: ['old'] },
      { live: [1, 1], text: ['changed wording'] },
    ],
    [pageOf('dead')]: [{ live: [0, 0] }],
    [pageOf('new1')]: [{ live: [1, 1], links: linksTo('new2', 'about') }],
    [pageOf('new2')]: [{ live: [1, 1], links: linksTo('new1') }],
    [pageOf('lonely')]: [{ live: [1, 1] }],
  }),
)

test('births, deaths and changes are counted step by step', () => {
  const { evolution } = archiveStatistics(archive)
  expect(evolution.steps).toEqual([
    {
      snapshot: 1,
      old: 2,
      changed: 2,
      mainTextChanged: 1,
      born: 3,
      died: 1,
      direct: 1,
      chain: 1,
      orphan: 1,
    },
  ])
  expect(evolution).toMatchObject({
    stepDays: 7,
    changedShare: 1,
    mainTextChangedShare: 0.5,
    bornShare: 1,
    directShare: 1 / 3,
    busiestTenthShare: 1,
    neverChangedShare: 0.5,
  })
  expect(evolution.diedShare).toBeCloseTo(1 / 3)
})

test('links are counted at the last snapshot, each pair of pages once', () => {
  const statistics = archiveStatistics(archive)
  expect(statistics.live).toBe(5)
  expect(statistics.inDegrees.deciles.at(-1)).toBe(2) // about, new1
  expect(statistics.inDegrees.mean).toBeCloseTo(5 / 5)
  expect(statistics.outLinks.deciles.at(-1)).toBe(3) // home: about, new1, b.example
  expect(statistics.anchors.words.mean).toBeCloseTo((7 * 2 + 0) / 8)
  expect(statistics.anchors.emptyShare).toBe(1 / 8)
  expect(statistics.boilerplateShare).toBeCloseTo(5 / 25)
})

test('deciles lie between values where they must', () => {
  expect(distributionOf([4, 1, 2, 3])).toMatchObject({ mean: 2.5, median: 2.5 })
  expect(distributionOf(Array.from({ length: 101 }, (_, n) => n)).deciles).toEqual([
    0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100,
  ])
  expect(distributionOf([]).median).toBe(0)
})
