import { expect, test } from 'vitest'
import { archiveOf } from './assemble-archive.ts'
import { smallArchive } from './small-archive.test-kit.ts'

const HOME = 'http://a.example/'
const NEWS = 'http://a.example/news'
const archive = archiveOf(
  smallArchive(5, {
    [HOME]: [
      { live: [0, 1], title: 'Home', text: ['Welcome'], boilerplate: ['Menu'] },
      {
        live: [2, 4],
        title: 'Home',
        text: ['Welcome'],
        boilerplate: ['Menu', 'News'],
        links: [
          [NEWS, 'News'],
          ['http://b.example/', 'A friend'],
          [NEWS, 'News'],
        ],
      },
    ],
    [NEWS]: [
      { live: [1, 1], title: 'News' },
      { live: [3, 4], redirect: HOME },
    ],
  }),
)

test('a page is gone between its spans', () => {
  expect([0, 1, 2, 3, 4].map((snapshot) => archive.versionAt(1, snapshot))).toEqual([
    undefined,
    2,
    undefined,
    3,
    3,
  ])
  expect(archive.spansOf(1)).toEqual([
    { from: 1, to: 1, version: 2 },
    { from: 3, to: 4, version: 3 },
  ])
  expect([...archive.livePages(2)]).toEqual([0])
  expect([...archive.livePages(3)]).toEqual([0, 1])
})

test('text comes with or without boilerplate', () => {
  expect(archive.textOf(1)).toBe('Menu\nNews\nWelcome')
  expect(archive.mainTextOf(1)).toBe('Welcome')
  expect(archive.sameMainText(0, 1)).toBe(true)
  expect(archive.mainHashOf(0)).toBe(archive.mainHashOf(1))
  expect(archive.contentHashOf(0)).not.toBe(archive.contentHashOf(1))
})

test('links keep their order and doublets, and know the pages of the archive', () => {
  const links = [...archive.linksOf(1)]
  expect(links.map((link) => archive.linkUrl(link))).toEqual([NEWS, 'http://b.example/', NEWS])
  expect(links.map((link) => archive.linkPage(link))).toEqual([1, undefined, 1])
  expect(links.map((link) => archive.linkAnchor(link))).toEqual(['News', 'A friend', 'News'])
  expect(links.map((link) => archive.linkIsOnSite(link))).toEqual([true, false, true])
})

test('the clock runs in seconds, from midnight UTC of the snapshot dates', () => {
  const week = 7 * 86_400
  expect(archive.timeOf(0)).toBe(Date.UTC(2024, 0, 1) / 1000)
  expect(archive.timeOf(3) - archive.timeOf(0)).toBe(3 * week)
  expect(archive.liveSince(0, 4)).toBe(archive.timeOf(2))
  expect(archive.liveSince(1, 2)).toBeUndefined()
  expect(archive.snapshotAt(archive.timeOf(2))).toBe(2)
  expect(archive.snapshotAt(archive.timeOf(2) - 1)).toBe(1)
  expect(archive.snapshotAt(0)).toBe(0)
  expect(archive.snapshotAt(archive.timeOf(4) + 100 * week)).toBe(4)
})

test('a redirect names its target', () => {
  expect(archive.redirectOf(3)).toBe(HOME)
  expect(archive.redirectOf(2)).toBeUndefined()
})
