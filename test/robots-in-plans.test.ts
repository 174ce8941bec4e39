import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { forager } from './forager-process.ts'
import { html, startScriptedSite } from './scripted-site.ts'

const folder = sharedFolder()

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)

test('what a known robots.txt forbids does not stand in plans, and is not asked for', async () => {
  const links = upTo(10).flatMap((i) => [`/private/${i}`, `/open/${i}`])
  const home = links.map((path) => `<a href="${path}">${path}</a>`).join(' ')
  using site = await startScriptedSite({
    '/robots.txt': (_, response) => response.end('User-agent: *\nDisallow: /private/\n'),
    '/': html(`<title>Home</title>${home}`),
    ...Object.fromEntries(upTo(10).map((i) => [`/open/${i}`, html(`<p>page ${i} says ${i * 7}`)])),
  })
  const dir = ['--dir', join(folder, 'crawl'), '--policy', 'bfs']
  const flags = ['--resolve', site.resolve, '--delay', '0', '--no-sitemaps', '--json']
  const crawl = async (budget: number) => {
    const run = await forager(
      ...['crawl', 'http://shop.test/', ...dir, ...flags, '--budget', `${budget}`],
    )
    expect(run.code, run.stderr).toBe(0)
    return JSON.parse(run.stdout)
  }
  expect((await crawl(1)).outcomes).toEqual({ page: 1 })
  const planned = async () => {
    const { stdout } = await forager('plan', ...dir, '--budget', '50', '--json')
    return JSON.parse(stdout).fetches.map(({ url }: { url: string }) => new URL(url).pathname)
  }
  const open = links.filter((path) => path.startsWith('/open/'))
  expect((await planned()).toSorted()).toEqual(open)
  const explained = await forager('explain', 'http://shop.test/private/3', ...dir)
  expect(explained.stdout).toMatch(/robots\.txt forbids it \(Disallow: \/private\/\)/)
  const { outcomes } = await crawl(60)
  // A run hears of the rules with its first answer.
  expect(outcomes.page).toBe(10)
  expect(outcomes.disallowed ?? 0).toBeLessThanOrEqual(10)
  expect(site.asked.filter(({ url }) => url.includes('/private/'))).toEqual([])
})
