import { expect, test } from 'vitest'
import { archiveOf } from './format/assemble-archive.ts'
import { smallArchive } from './format/small-archive.test-kit.ts'
import { RecordedWeb } from './recorded-web.ts'

const HOME = 'http://a.example/'
const NEWS = 'http://a.example/news?b=2&a=1'
const OLD = 'http://a.example/old'
const SHOP = 'http://shop.a.example/'
const archive = archiveOf(
  smallArchive(
    3,
    {
      [HOME]: [
        {
          live: [0, 2],
          title: ' Home  page',
          text: ['Welcome\t to us', '  '],
          boilerplate: ['Menu'],
          links: [
            ['http://A.example/news?a=1&b=2#top', ' All\nnews '],
            ['javascript:void(0)', 'nothing'],
          ],
        },
      ],
      [NEWS]: [{ live: [1, 1], title: 'News' }],
      [OLD]: [{ live: [0, 2], redirect: '/news?b=2&a=1' }],
      [SHOP]: [{ live: [2, 2] }],
    },
    { robots: { 'a.example': 'User-agent: *\nDisallow: /old' } },
  ),
)
const web = new RecordedWeb(archive, 1)

test('a page answers as a parser would read it', () => {
  expect(web.answer('HTTP://a.example')).toEqual({
    kind: 'page',
    page: {
      form: 'page',
      title: 'Home page',
      text: 'Menu\nWelcome to us',
      links: [{ url: 'http://a.example/news?a=1&b=2', anchor: 'All news', rel: 0 }],
      noindex: false,
      nofollow: false,
    },
    version: 0,
    contentHash: archive.contentHashOf(0),
    lastModified: archive.timeOf(0),
  })
})

test('a page is found by any spelling of its URL, while it lives', () => {
  expect(web.answer('http://a.example/news?a=1&b=2#x').kind).toBe('page')
  expect(web.sitemapDate('a.example', NEWS)).toBe(archive.timeOf(1))
  expect(web.at(0).answer(NEWS)).toEqual({ kind: 'gone' })
  expect(web.at(2).answer(NEWS)).toEqual({ kind: 'gone' })
  expect(web.answer('http://a.example/never')).toEqual({ kind: 'unknown' })
  expect(web.answer('not a URL')).toEqual({ kind: 'unknown' })
})

test('of two recordings with one canonical URL, the live one answers', () => {
  const twins = archiveOf(
    smallArchive(2, {
      'http://a.example/x#one': [{ live: [0, 0], title: 'One' }],
      'http://a.example/x#two': [{ live: [1, 1], title: 'Two' }],
    }),
  )
  const titles = [0, 1].map((snapshot) => {
    const answer = new RecordedWeb(twins, snapshot).answer('http://a.example/x')
    return answer.kind === 'page' ? answer.page.title : answer.kind
  })
  expect(titles).toEqual(['One', 'Two'])
})

test('a redirect names its canonical target', () => {
  expect(web.answer(OLD)).toEqual({
    kind: 'redirect',
    target: 'http://a.example/news?a=1&b=2',
    version: 2,
  })
})

test('hosts have sitemaps of their live pages and robots.txt if recorded', () => {
  expect(web.hosts()).toEqual(['a.example', 'shop.a.example'])
  expect(web.liveUrls('a.example')).toEqual([HOME, 'http://a.example/news?a=1&b=2'])
  expect(web.liveUrls('shop.a.example')).toEqual([])
  expect(web.at(2).liveUrls('shop.a.example')).toEqual([SHOP])
  expect(web.robotsFor('a.example')).toContain('Disallow: /old')
  expect(web.robotsFor('shop.a.example')).toBeUndefined()
  expect(web.robotsFor('toString')).toBeUndefined()
})
