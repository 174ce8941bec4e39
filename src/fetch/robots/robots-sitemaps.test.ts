import { describe, expect, test } from 'vitest'
import { REL_HUB, REL_ROBOTS } from '#parse/page/page.ts'
import type { LiveFetcher } from '../live-fetcher.ts'
import {
  fetcherTo,
  outcomesOf,
  requestsFor,
  scriptedServer,
  smallSite,
} from '../scripted-server.test-kit.ts'

describe('sitemaps', () => {
  const foundBy = async (robots: string | undefined, options = {}) => {
    await using server = await scriptedServer(smallSite(robots))
    await using fetcher = fetcherTo(server.port, options)
    const urls = ['http://a.example/1', 'http://a.example/2']
    const outcomes = await outcomesOf(fetcher, requestsFor(...urls))
    return outcomes.map(({ found }) => found)
  }
  const hub = (url: string) => ({ url, anchor: '', rel: REL_HUB | REL_ROBOTS })

  test('that robots.txt names come with the origin’s first outcome, once each', async () => {
    const robots = `Sitemap: https://b.example/map.xml\nSitemap: /own.xml
      Sitemap: /own.xml\nSitemap: ftp://a.example/no`
    expect(await foundBy(robots)).toEqual([
      [hub('https://b.example/map.xml'), hub('http://a.example/own.xml')],
      undefined,
    ])
  })

  test('of another domain speak for the origins that name them, also after a restart', async () => {
    const map = 'http://maps.test/a.xml'
    const urls = ['http://a.example/x', 'https://a.example/x', 'http://c.example/y']
    const entries = urls.map((url) => `<url><loc>${url}</loc></url>`).join('')
    await using server = await scriptedServer((request, response) => {
      const { url, headers } = request
      if (url === '/robots.txt')
        response.end(headers.host === 'a.example' ? `Sitemap: ${map}` : 'Sitemap: /other.xml')
      else if (url === '/a.xml')
        response.writeHead(200, { 'content-type': 'text/xml' }).end(`<urlset>${entries}</urlset>`)
      else response.writeHead(404).end()
    })
    const linksOfMap = async (fetcher: LiveFetcher) => {
      const [outcome] = await outcomesOf(fetcher, requestsFor(map))
      return outcome.kind === 'page' ? outcome.page.links.map(({ url }) => url) : outcome.kind
    }
    await using fetcher = fetcherTo(server.port)
    expect(await linksOfMap(fetcher)).toEqual([])
    await outcomesOf(fetcher, requestsFor('http://a.example/', 'http://c.example/'))
    expect(await linksOfMap(fetcher)).toEqual(['http://a.example/x'])
    const { robotsRecords } = await fetcher.memory()
    await using again = fetcherTo(server.port, { robotsRecords })
    expect(await linksOfMap(again)).toEqual(['http://a.example/x'])
  })

  test('come also with a URL that is disallowed', async () => {
    const [first] = await foundBy('User-agent: *\nDisallow: /\nSitemap: /s.xml')
    expect(first).toEqual([hub('http://a.example/s.xml')])
  })

  test('come with the rules, which a run hears of once, also when the file is known already', async () => {
    await using server = await scriptedServer(smallSite('User-agent: *\nDisallow: /x'))
    const rulesOf = async (fetcher: LiveFetcher) => {
      const outcomes = await outcomesOf(
        fetcher,
        requestsFor('http://a.example/1', 'http://a.example/2'),
      )
      return outcomes.map(({ rules }) => rules)
    }
    await using fetcher = fetcherTo(server.port)
    const heard = ['User-agent: *\nDisallow: /x', undefined]
    expect(await rulesOf(fetcher)).toEqual(heard)
    expect(await rulesOf(fetcher)).toEqual([undefined, undefined])
    const { robotsRecords } = await fetcher.memory()
    await using again = fetcherTo(server.port, { robotsRecords })
    expect(await rulesOf(again)).toEqual(heard)
  })

  test('are looked for at the usual place when none is named', async () => {
    const usual = [[{ ...hub('http://a.example/sitemap.xml'), rel: REL_ROBOTS }], undefined]
    expect(await foundBy('User-agent: *\nDisallow: /x')).toEqual(usual)
    expect(await foundBy(undefined)).toEqual(usual)
  })

  test('are not reported when nobody wants them', async () => {
    expect(await foundBy('Sitemap: /s.xml', { sitemaps: false })).toEqual([undefined, undefined])
  })
})
