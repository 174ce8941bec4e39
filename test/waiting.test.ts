import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runningCrawl } from '#library/control/progress-file.ts'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { forager, startForager } from './forager-process.ts'
import { html, startScriptedSite } from './scripted-site.ts'

const folder = sharedFolder()

/** A site of a home page, /b, which answers 429 at first, and some others. */
async function startBusySite(retryAfter: string, ...others: string[]) {
  let times = 0
  const busyOnce = (_: unknown, response: ServerResponse) => {
    if (times++ > 0) html('<title>B</title>late')({} as never, response)
    else response.writeHead(429, { 'retry-after': retryAfter }).end()
  }
  const pages = ['b', ...others]
  return startScriptedSite({
    ...Object.fromEntries(
      others.map((page) => [`/${page}`, html(`<title>${page}</title>${page}`)]),
    ),
    '/': html(pages.map((page) => `<a href="/${page}">${page}</a>`).join(' ')),
    '/b': busyOnce,
  })
}

function flagsFor(site: { resolve: string }, dir: string): string[] {
  const flags = ['--resolve', site.resolve, '--delay', '0', '--no-sitemaps', '--policy', 'bfs']
  return ['crawl', 'http://a.test/', '--dir', join(folder, dir), ...flags]
}

test('a page that is to be had in a second is waited for, if nothing else is left', async () => {
  using site = await startBusySite('1')
  const { code, stdout, stderr } = await forager(...flagsFor(site, 'second'))
  expect(stderr).toMatch(/waiting [\d.]+ s for a\.test \(status 429\): 1 URL left there/)
  expect(stdout).toMatch(/^nothing left to fetch: 3 of 1,000 fetches/)
  expect(code).toBe(0)
  const pages = site.asked.map(({ url }) => new URL(url).pathname)
  expect(pages).toEqual(['/robots.txt', '/', '/b', '/b'])
})

test('an hour is not waited for: the summary tells when to come back', async () => {
  using site = await startBusySite('3600', 'c', 'd')
  const { code, stdout, stderr } = await forager(...flagsFor(site, 'hour'))
  expect(code).toBe(0)
  expect(stdout).toMatch(/^nothing left to fetch for now: 2 of 1,000 fetches/)
  expect(stderr).toMatch(
    /^3 URLs wait for a\.test, which is left alone until .* UTC \(status 429\): run the same command again then$/m,
  )
  expect(stderr).not.toMatch(/waiting|are left that failed/)
})

test('Ctrl-C ends a wait at once, and status tells of it meanwhile', async () => {
  using site = await startBusySite('300', 'c', 'd')
  const { child, ended } = startForager([...flagsFor(site, 'stopped'), '--json'])
  const dir = join(folder, 'stopped')
  while (!runningCrawl(dir)?.waitsFor) await new Promise((resolve) => setTimeout(resolve, 20))
  const status = await forager('status', '--dir', dir)
  expect(status.stdout).toMatch(/^it waits for a\.test, which is left alone until .* UTC$/m)
  child.kill('SIGINT')
  const { code, stdout, stderr } = await ended
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ end: 'stopped', spent: 2 })
  expect(stderr).toMatch(/^stopping: /)
})
