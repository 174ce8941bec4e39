import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { writeConfig } from './config-folder.ts'
import { commandsOf, configOf, shell } from './followed-page.ts'
import { foragerIn } from './forager-process.ts'
import { html, startScriptedSite } from './scripted-site.ts'

const shoe = (name: string, brand: string, price: string) =>
  html(`<html lang="en"><head><title>${name}</title><meta name="author" content="Ann">
    <script type="application/ld+json">{"@type":"Product","name":"${name}","description":"A shoe"}</script></head>
    <body><h1>${name}</h1><p class="price">EUR <b>${price}</b></p><span itemprop="brand">${brand}</span>
    <ul class="tags"><li>red</li><li>new</li></ul></body></html>`)

test('the how-to page can be followed', { timeout: 120_000 }, async () => {
  using site = await startScriptedSite({
    '/': html(
      '<html lang="en"><p>A shop. <a href="/shoe">one</a> <a href="/boot">two</a></p></html>',
    ),
    '/shoe': shoe('Shoe', 'Acme', '12'),
    '/boot': shoe('Boot', 'Other', '30'),
  })
  const folder = temporaryFolder()
  const page = readFileSync('docs/how-to/extract-fields.md', 'utf8')
  const config = JSON.parse(configOf(page))
  config.http = { resolve: [site.resolve] }
  writeFileSync(join(folder, 'forager.config.json'), JSON.stringify(config))
  const commands = commandsOf(page)
  expect(commands.length).toBe(4)
  let last = ''
  for (const command of commands) {
    const { code, stdout, stderr } = await shell(command, folder)
    expect({ code, stderr }, command).toMatchObject({ code: 0 })
    last = stdout
  }
  const rows = readFileSync(join(folder, 'pages.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const fields = Object.fromEntries(rows.map((row) => [new URL(row.url).pathname, row.fields]))
  expect(fields).toEqual({
    '/': null,
    '/shoe': { author: 'Ann', tags: ['red', 'new'], price: 'EUR 12', brand: 'Acme' },
    '/boot': { author: 'Ann', tags: ['red', 'new'], price: 'EUR 30', brand: 'Other' },
  })
  const row = rows.find(({ url }) => url.endsWith('/shoe'))
  expect(row).toMatchObject({ data_type: 'Product', description: 'A shoe', author: 'Ann' })
  expect(row.data.jsonLd).toEqual([{ '@type': 'Product', name: 'Shoe', description: 'A shoe' }])
  const acme = readFileSync(join(folder, 'acme.csv'), 'utf8')
  expect(acme).toContain('/shoe')
  expect(acme).not.toContain('/boot')
  expect(last).toMatch(/about Product, by Ann/)
  expect(last).toMatch(/price: EUR 12/)
})

test.each([
  [
    { fields: { price: 'p:has(b)' } },
    /fields\.price "p:has\(b\)" has :has, which is not known here/,
  ],
  [{ fields: { price: 'p >' } }, /fields\.price "p >" ends without an element/],
  [{ fields: { price: '[' } }, /fields\.price "\[" is no CSS selector/],
  [{ fields: { price: 5 } }, /fields\.price must be a selector, as in "\.price"/],
  [{ fields: { 'a b': 'p' } }, /fields\.a b must be named by letters/],
  [{ fields: ['p'] }, /fields must be an object/],
  [{ sites: [{ match: 'a.example', fields: { x: '' } }] }, /sites\[0\]\.fields\.x "" is empty/],
])('a mistake is named before anything is fetched: %j', async (config, words) => {
  const folder = temporaryFolder()
  writeConfig(folder, config)
  const { code, stderr } = await foragerIn(folder, 'crawl', 'http://a.example/')
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(words) })
})
