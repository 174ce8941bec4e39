import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { forager } from './forager-process.ts'
import { html, startScriptedSite } from './scripted-site.ts'

const folder = sharedFolder()

const SITE = 'http://news.test'
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)

/** A feed of pages with addresses that say nothing, and pages that the home page links to. */
async function startSite() {
  const items = upTo(20).map((i) => {
    const title = i === 11 ? 'How the platypus makes venom' : `Notes of day ${i}`
    return `<item><title>${title}</title><link>${SITE}/n/${i}</link></item>`
  })
  const links = upTo(20).map((i) => `<a href="/p/${i}">page ${i}</a>`)
  const feed = '<link rel="alternate" type="application/rss+xml" href="/feed">'
  return startScriptedSite({
    '/': html(`<title>Home</title>${feed}${links.join(' ')}`),
    '/feed': html(`<rss><channel>${items.join('')}</channel></rss>`),
    ...Object.fromEntries(
      upTo(20).map((i) => [`/p/${i}`, html(`<title>Page ${i}</title>words of page ${i}`)]),
    ),
  })
}

test.each(['unified', 'impact'])(
  '%s: a page that only a feed tells of leads the plan if its title answers a query',
  async (policy) => {
    using site = await startSite()
    const dir = ['--dir', join(folder, policy)]
    writeFileSync(join(folder, 'log.csv'), 'query,count\nplatypus venom,9\n')
    await forager('queries', 'import', join(folder, 'log.csv'), '--format', 'csv', ...dir)
    const flags = ['--resolve', site.resolve, '--delay', '0', '--budget', '21', '--policy', policy]
    const run = await forager('crawl', `${SITE}/`, ...dir, ...flags, '--no-sitemaps')
    expect(run.code, run.stderr).toBe(0)
    const asked = site.asked.map(({ url }) => url.slice(SITE.length))
    expect(asked).toContain('/feed')
    expect(asked).not.toContain('/n/11')
    const { stdout } = await forager('plan', ...dir, '--json')
    expect(JSON.parse(stdout).fetches[0].url).toBe(`${SITE}/n/11`)
  },
)
