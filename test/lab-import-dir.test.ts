import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readArchive } from '#archive/format/read-archive.ts'
import { readWorkload } from '#archive/format/read-workload.ts'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { forager } from './forager-process.ts'
import { html, startScriptedSite } from './scripted-site.ts'

const folder = sharedFolder()
const inFolder = (name: string) => join(folder, name)

test('a crawl goes into the lab with its pages, its queries and its scope, by one command', async () => {
  using site = await startScriptedSite({
    '/': html(
      '<title>Home</title><a href="/hills">Hills</a><a href="http://other.example/x">X</a>',
    ),
    '/hills': html('<title>Hills</title><p>Green hills<a href="/">Home</a>'),
  })
  const [dir, out, log] = ['crawl', 'recorded', 'log.csv'].map(inFolder)
  writeFileSync(log, 'query,count\ngreen hills,7\nhome,2\n')
  await forager('queries', 'import', log, '--format', 'csv', '--dir', dir)
  const crawl = ['crawl', 'http://a.example/', '--scope', 'host', '--dir', dir, '--budget', '10']
  const crawled = await forager(...crawl, '--resolve', site.resolve, '--delay', '0')
  expect(crawled.code, crawled.stderr).toBe(0)

  const run = await forager('lab', 'import', '--dir', dir, '--out', out, '--json')
  expect(run.code, run.stderr).toBe(0)
  expect(JSON.parse(run.stdout)).toMatchObject({
    pages: 2,
    queries: 2,
    start: ['http://a.example/'],
  })
  const archive = await readArchive(out)
  // Two pages link to each other, and nothing leads out of the crawl's scope.
  const targets = Array.from({ length: archive.linkCount }, (_, link) => archive.linkUrl(link))
  expect(targets.sort()).toEqual(['http://a.example/', 'http://a.example/hills'])
  const { queries } = await readWorkload(out)
  expect(queries.map(({ text }) => text)).toEqual(['green hills', 'home'])
  const selected = await forager('lab', 'run', 'selection', '--archive', out, '--json')
  expect(selected.code, selected.stderr).toBe(0)
  expect(JSON.parse(selected.stdout).ceilings).toMatchObject([{ known: 2 }])
})

test('a directory without WARC files, and two sources at once, are refused', async () => {
  const none = await forager('lab', 'import', '--dir', inFolder('nothing'))
  expect(none).toMatchObject({ code: 2, stdout: '' })
  expect(none.stderr).toMatch(/there is nothing in .*nothing/)
  const two = await forager('lab', 'import', '--dir', 'a', '--warc', 'b')
  expect(two.stderr).toMatch(/--dir and --warc are two sources/)
})
