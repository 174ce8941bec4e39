import { expect, test } from 'vitest'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { forager } from './forager-process.ts'
import { html, startScriptedSite } from './scripted-site.ts'

const dir = sharedFolder()

test('seeds that brought nothing are named when a crawl ends, and by status', async () => {
  const page = html('<title>Walks</title>a walk in the hills')
  using site = await startScriptedSite({
    '/': page,
    '/busy': (_, response) => response.writeHead(500).end(),
    '/robots.txt': ({ headers }, response) =>
      headers.host === 'shut.example'
        ? response.end('User-agent: *\nDisallow: /\n')
        : response.writeHead(404).end(),
  })
  const flags = ['--dir', dir, '--resolve', site.resolve, '--delay', '0', '--no-sitemaps']
  const bad = ['http://shut.example/', 'http://a.example/none', 'http://b.example/busy']
  const run = await forager('crawl', 'http://a.example/', ...bad, ...flags, '--budget', '4')
  expect(run.code, run.stderr).toBe(0)
  const told = [
    'the seed http://shut.example/ brought nothing: robots.txt forbids it (Disallow: /)',
    'the seed http://a.example/none brought nothing: there is no such page (status 404)',
    'the seed http://b.example/busy brought nothing: status 500',
  ]
  for (const line of told) expect(run.stderr.split('\n')).toContain(line)
  const { stdout } = await forager('status', '--dir', dir)
  expect(stdout.split('\n').filter((line) => line.startsWith('the seed'))).toEqual(told)

  const more = ['/x', '/y'].map((path) => `http://a.example${path}`)
  const again = await forager('crawl', ...more, ...flags, '--budget', '+6')
  expect(again.stderr).toContain('2 other seeds brought nothing')
  const explained = await forager('explain', 'http://shut.example/', '--dir', dir)
  expect(explained.stdout).toMatch(/held back +robots\.txt forbids it/)
  expect(explained.stdout).not.toMatch(/sent first/)
  // People leave out the scheme, and it is not always https.
  const short = await forager('explain', 'a.example', '--dir', dir)
  expect([short.code, short.stdout.split('\n')[0]]).toEqual([0, 'URL         http://a.example/'])
  const strange = await forager('explain', 'c.example', '--dir', dir)
  expect([strange.code, strange.stdout.split('\n')[0]]).toEqual([
    1,
    'URL         https://c.example/',
  ])
})
