import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isThorough } from '#numeric/cases.test-kit.ts'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { forager } from './forager-process.ts'

const folder = sharedFolder()

const GOOD_HOSTS = 60
const PAGES_EACH = 3
const FARM_HOSTS = 2_000

/** What a host of the farm answers. */
type Farm = (response: ServerResponse, n: number) => void

const failing: Farm = (response) => response.destroy()
const copies: Farm = (response) => html(response, 'Buy cheap words here today')
const random: Farm = (response, n) => html(response, wordsOf(n).join(' '))

/**
 * Sixty good hosts of three pages, a page that links to two thousand throw-away hosts, and a host whose sitemap
 * index has no end. Notes what is asked for.
 */
async function startWeb(farm: Farm) {
  const asked = { good: new Set<string>(), seedsBeforeFarm: 0, maze: 0 }
  let isFarmAsked = false
  let children = 0
  const server = createServer(({ headers: { host = '' }, url = '/' }, response) => {
    if (url === '/robots.txt') {
      const sitemap = 'Sitemap: http://maze.test/map.xml\n'
      response.writeHead(200, { 'content-type': 'text/plain' })
      return response.end(host === 'maze.test' ? sitemap : '')
    }
    const n = Number(/\d+/.exec(host)?.[0] ?? 0)
    if (host.startsWith('good') && url !== '/sitemap.xml') {
      asked.good.add(host + url)
      if (url === '/0' && !isFarmAsked) asked.seedsBeforeFarm++
      const page = Number(url.slice(1))
      const next = page + 1 < PAGES_EACH ? `<a href="/${page + 1}">next</a>` : ''
      return html(response, `${wordsOf(n * 100 + page).join(' ')} ${next}`)
    }
    if (host === 'portal.test')
      return html(response, Array.from({ length: FARM_HOSTS }, farmLink).join(' '))
    if (url === '/sitemap.xml') return response.writeHead(404).end()
    if (host !== 'maze.test') {
      isFarmAsked = true
      return farm(response, n)
    }
    asked.maze++
    if (url === '/') return html(response, 'A maze')
    const more = Array.from({ length: 20 }, () => mazeEntry(children++))
    response.writeHead(200, { 'content-type': 'application/xml' })
    return response.end(`<sitemapindex>${more.join('')}</sitemapindex>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    asked,
    resolve: `*=127.0.0.1:${port}`,
    [Symbol.dispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const farmLink = (_: unknown, i: number) => `<a href="http://www.farm${i}.test/">offer ${i}</a>`
/** Letters only, so that no two addresses have a shape in common. */
const mazeEntry = (i: number) =>
  `<sitemap><loc>http://maze.test/${[...String(i)].map((d) => 'abcdefghij'[Number(d)]).join('/')}.xml</loc></sitemap>`

function html(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>${text}</p>`)
}

/** Words that no other page has. */
function wordsOf(n: number): string[] {
  return Array.from({ length: 40 }, (_, i) => `w${n}x${(n * 7919 + i * i * 31) % 5003}`)
}

const goodSeeds = Array.from({ length: GOOD_HOSTS }, (_, i) => `http://good${i}.test/0`)

const FARMS = [
  ['unified', 'failing hosts', failing],
  ['unified', 'hosts that all say the same', copies],
  ['unified', 'hosts with random words', random],
  ['bfs', 'hosts with random words', random],
] as const

test.runIf(isThorough).each(FARMS)(
  '%s: a farm of %s and an endless sitemap index keep no good page waiting',
  async (...row) => {
    const [policy, name, farm] = row
    using web = await startWeb(farm)
    // Each good host is asked for /sitemap.xml too, and a hundred fetches are to spare.
    const budget = GOOD_HOSTS * (PAGES_EACH + 1) + 100
    const { code } = await forager(
      ...['crawl', 'http://portal.test/', 'http://maze.test/', ...goodSeeds],
      ...['--resolve', web.resolve, '--delay', '0', '--policy', policy, '--budget', `${budget}`],
      ...['--dir', join(folder, `${policy} ${name}`), '--json'],
    )
    expect(code).toBe(0)
    expect(web.asked.seedsBeforeFarm).toBe(GOOD_HOSTS)
    // While good hosts rest, others are sent to; those with words of their own look good until there is evidence.
    const good = GOOD_HOSTS * PAGES_EACH
    expect(web.asked.good.size).toBeGreaterThanOrEqual(farm === random ? 0.95 * good : good)
    // Twenty make evidence, then one a plan: 78 by itself, a few more where a busy machine plans by time.
    expect(web.asked.maze).toBeLessThan(90)
  },
)
