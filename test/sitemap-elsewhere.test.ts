import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { forager } from './forager-process.ts'
import { html, startScriptedSite } from './scripted-site.ts'

const folder = sharedFolder()

/** A site whose robots.txt names these sitemaps; maps.example has one that tells of a page of each host. */
async function startSite(sitemaps: readonly string[]) {
  const entries = ['http://shop.example/hidden', 'http://maps.example/own']
  const list = entries.map((url) => `<url><loc>${url}</loc></url>`).join('')
  return startScriptedSite({
    '/robots.txt': ({ headers }, response) => {
      const isShop = headers.host === 'shop.example'
      response.end(isShop ? sitemaps.map((url) => `Sitemap: ${url}\n`).join('') : '')
    },
    '/': html('<title>Shop</title>A shop'),
    '/hidden': html('<title>Hidden</title>A hidden page'),
    '/shop.xml': (_, response) =>
      response.writeHead(200, { 'content-type': 'text/xml' }).end(`<urlset>${list}</urlset>`),
    '/about': html('<title>Maps</title>About <a href="http://shop.example/linked">us</a>'),
  })
}

async function crawled(dir: string, resolve: string, ...more: string[]) {
  const into = ['--dir', join(folder, dir)]
  const flags = [
    '--resolve',
    resolve,
    '--delay',
    '0',
    '--policy',
    'bfs',
    '--scope',
    'host',
    '--json',
  ]
  const run = await forager('crawl', 'http://shop.example/', ...into, ...flags, ...more)
  expect(run.code, run.stderr).toBe(0)
  return JSON.parse(run.stdout)
}

test('a sitemap on another host is read for the host whose robots.txt names it, and nothing else there', async () => {
  using site = await startSite(['http://maps.example/shop.xml', 'http://maps.example/about'])
  const { outcomes } = await crawled('named', site.resolve)
  expect(site.asked.map(({ url }) => url).sort()).toEqual([
    'http://maps.example/about',
    'http://maps.example/robots.txt',
    'http://maps.example/shop.xml',
    'http://shop.example/',
    'http://shop.example/hidden',
    'http://shop.example/robots.txt',
  ])
  expect(outcomes).toEqual({ page: 3, unreadable: 1 })
  const explained = ['explain', 'http://maps.example/shop.xml', '--dir', join(folder, 'named')]
  const { stdout } = await forager(...explained, '--json')
  expect(JSON.parse(stdout).heldBackBy).not.toContainEqual(
    expect.objectContaining({ kind: 'scope' }),
  )
})

test('a sitemap at a private address is not asked for, whoever names it', async () => {
  using site = await startSite(['http://127.0.0.1:8080/shop.xml'])
  const { outcomes, refusals } = await crawled(
    'private',
    `shop.example=127.0.0.1:${site.port}`,
    '--contact',
    'me@example.org',
  )
  expect(outcomes).toEqual({ page: 1, forbidden: 1 })
  expect(refusals[0]).toMatch(/127\.0\.0\.1/)
})
