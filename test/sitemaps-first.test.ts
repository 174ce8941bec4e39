import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isThorough } from '#numeric/cases.test-kit.ts'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { forager } from './forager-process.ts'
import { html, startScriptedSite } from './scripted-site.ts'

const folder = sharedFolder()

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)
const SITE = 'http://docs.test'
const MAPS = upTo(5).map((i) => `/map${i}.xml`)
const HIDDEN = MAPS.flatMap((map) => upTo(8).map((i) => `/only-in${map}/${i}`))

/** A site whose pages are linked from everywhere, and an index of sitemaps with pages that nothing links to. */
async function startSite() {
  const links = upTo(200).map((i) => `<a href="/page/${i}">page ${i}</a>`)
  const named = '<link rel="alternate" type="application/rss+xml" href="/feed">'
  const page = (path: string) =>
    html(`<title>${path}</title>${named} of ${path} ${links.join(' ')}`)
  const list = (kind: string, of: string, paths: readonly string[]) =>
    html(`<${kind}>${paths.map((path) => `<${of}><loc>${SITE}${path}</loc></${of}>`)}</${kind}>`)
  return startScriptedSite({
    '/robots.txt': (_, response) => response.end(`Sitemap: ${SITE}/index.xml\n`),
    '/index.xml': list('sitemapindex', 'sitemap', MAPS),
    '/feed': html(`<rss><item><link>${SITE}/news</link></item></rss>`),
    ...Object.fromEntries(
      MAPS.map((map, i) => [map, list('urlset', 'url', HIDDEN.slice(8 * i, 8 * i + 8))]),
    ),
    ...Object.fromEntries(
      ['/', '/news', ...HIDDEN, ...upTo(200).map((i) => `/page/${i}`)].map((path) => [
        path,
        page(path),
      ]),
    ),
  })
}

const POLICIES = ['pagerank', 'unified', 'bfs', 'opic', 'split:60/20/20:bfs,uniform,yield']

test.each(isThorough ? POLICIES : POLICIES.slice(0, 2))(
  '%s: what a site says of itself is read within twenty requests to it, without any delay too',
  async (policy) => {
    using site = await startSite()
    const dir = ['--dir', join(folder, policy.slice(0, 5))]
    const flags = ['--resolve', site.resolve, '--delay', '0', '--policy', policy]
    const run = await forager('crawl', `${SITE}/`, ...dir, ...flags, '--budget', '60', '--json')
    expect(run.code, run.stderr).toBe(0)
    const asked = site.asked.map(({ url }) => url.slice(SITE.length))
    const first = asked.slice(0, 20)
    expect(first).toEqual(expect.arrayContaining(['/index.xml', '/feed', ...MAPS]))
    const known = await forager('explain', `${SITE}${HIDDEN.at(-1)}`, ...dir, '--json')
    expect(JSON.parse(known.stdout)).toMatchObject({ about: { foundBy: 'sitemap' } })
  },
)
