import { rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { sharedFolder, temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { docxOf, odtOf, plainPdf, zipOf } from '../src/fetch/documents/documents.test-kit.ts'
import { forager } from './forager-process.ts'
import { html, startScriptedSite } from './scripted-site.ts'

const file = (body: Buffer | string, type?: string) => (_: IncomingMessage, to: ServerResponse) => {
  to.writeHead(200, type === undefined ? {} : { 'content-type': type }).end(body)
}
const SITE = {
  '/': html(
    `<html lang="en"><p>Files of a bee keeper: ${[
      'manual.pdf',
      'bees.docx',
      'honig.odt',
      'download?id=1',
      'raw.pdf',
      'notes.txt',
      'bomb.docx',
      'broken.pdf',
      'photos.zip',
    ]
      .map((name) => `<a href="/${name}">${name}</a>`)
      .join(' ')}</p></html>`,
  ),
  '/manual.pdf': file(
    plainPdf([['Smoking the hive', 'Smoke calms the colony before an inspection.']]),
    'application/pdf',
  ),
  '/bees.docx': file(docxOf(), 'application/octet-stream'),
  '/honig.odt': file(odtOf(), 'application/vnd.oasis.opendocument.text'),
  '/download?id=1': file(plainPdf([['Winter', 'Feed the bees in winter.']]), 'text/html'),
  '/raw.pdf': file(plainPdf([['Mites', 'Varroa mites weaken colonies.']]), 'binary/octet-stream'),
  '/notes.txt': file(
    Buffer.from('Notes on swarming\n\nSwärms leave; see http://a.example/from-notes.\n', 'latin1'),
    'text/plain',
  ),
  '/bomb.docx': file(
    zipOf({ 'word/document.xml': Buffer.alloc(80 * 1024 * 1024, 'a') }),
    'application/octet-stream',
  ),
  '/broken.pdf': file('%PDF-1.4 and no more', 'application/pdf'),
  '/photos.zip': file(zipOf({ 'a.jpg': 'x' }), 'application/zip'),
  '/hive.html': html('<html lang="en"><p>The page that a document links to.</p></html>'),
  '/from-notes': html('<html lang="en"><p>The page that notes name.</p></html>'),
}

let dir = sharedFolder()
const run = async (...args: string[]) => {
  const { code, stdout, stderr } = await forager(...args, '--dir', dir)
  expect({ code, stderr }, args.join(' ')).toMatchObject({ code: 0 })
  return stdout
}
const rows = async (...args: string[]) =>
  (await run('export', ...args))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('documents are pages like others', () => {
  beforeAll(async () => {
    using site = await startScriptedSite(SITE)
    const flags = ['--budget', '30', '--delay', '0', '--resolve', site.resolve]
    await run('crawl', 'http://a.example/', '--scope', 'host', ...flags)
  }, 120_000)

  test('each has its title, format and language, and hostile ones cost one outcome', async () => {
    const pages = await rows('pages')
    const told = Object.fromEntries(
      pages.map(({ url, title, format }) => [url.replace('http://a.example', ''), [format, title]]),
    )
    expect(told).toMatchObject({
      '/': [null, null],
      '/manual.pdf': ['pdf', 'Bees in a PDF'],
      '/bees.docx': ['docx', 'The way of bees'],
      '/honig.odt': ['odt', 'Bees in German'],
      '/download?id=1': ['pdf', 'Bees in a PDF'],
      '/raw.pdf': ['pdf', 'Bees in a PDF'],
      '/notes.txt': ['text', 'Notes on swarming'],
      '/hive.html': [null, null],
      '/from-notes': [null, null],
    })
    const unread = await rows('fetches', '--state', 'unreadable')
    expect(
      Object.fromEntries(unread.map(({ url, reason }) => [url.split('/')[3], reason])),
    ).toEqual({
      'bomb.docx': expect.stringMatching(/word\/document\.xml is missing, broken or too long/),
      'broken.pdf': expect.stringMatching(/^sent as application\/pdf: broken/),
      'photos.zip': 'type application/zip',
    })
  })

  test('they are found, with excerpts', async () => {
    const { results } = JSON.parse(await run('search', 'smoke calms colony', '--json'))
    expect(results[0]).toMatchObject({ url: 'http://a.example/manual.pdf' })
    expect(JSON.stringify(results[0])).toMatch(/before an inspection/)
  })

  test('an index made anew from WARC files has them', async () => {
    rmSync(join(dir, 'index'), { recursive: true })
    await forager('check', '--repair', '--dir', dir)
    const { results } = JSON.parse(await run('search', 'smoke calms colony', '--json'))
    expect(results[0]).toMatchObject({ url: 'http://a.example/manual.pdf' })
  })
})

test('who wants none, or some only, gets none of their bytes', { timeout: 60_000 }, async () => {
  using site = await startScriptedSite(SITE)
  dir = temporaryFolder()
  const flags = ['--budget', '9', '--delay', '0', '--resolve', site.resolve]
  await run('crawl', 'http://a.example/manual.pdf', ...flags, '--document-formats', 'docx')
  const [only] = await rows('fetches')
  expect(only).toMatchObject({ outcome: 'unreadable', reason: 'type application/pdf' })
})
