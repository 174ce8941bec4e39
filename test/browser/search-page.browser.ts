import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { searchableCrawl } from '#library/search/searchable-crawl.test-kit.ts'
import { startForager } from '../forager-process.ts'
import { launchChromium, openPage } from './chromium.ts'

let browser: Browser
let site: Server
let siteUrl: string
let dir: string
let home: string
let stop: () => Promise<unknown>

/** The crawled site, so that a chosen result leads somewhere; and the whole program beside it. */
beforeAll(async () => {
  site = createServer((request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(
      `<!doctype html><link rel="icon" href="data:,"><title>Arrived</title><p id="from">${request.headers.referer ?? 'nobody'}</p>`,
    )
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  dir = searchableCrawl([
    ...Array.from({ length: 23 }, (_, i) => ({
      url: `${siteUrl}/trails/${i}?a=1&b=${i}`,
      title: `Hiking trail ${i}`,
      text: `Trail ${i} is a walk of several hours through woods and over hills, for all who like hiking.`,
      fetchedAt: Date.now() / 1000 - 2 * 86_400 - 60,
    })),
    {
      url: `${siteUrl}/${'x'.repeat(300)}`,
      title: `<img src=x onerror=alert(1)><script>alert(2)</script> ${'W'.repeat(200)} berry`,
      text: `berry "><svg onload=alert(3)> ${'&lt;'.repeat(200)} \u202eevil ${'Y'.repeat(400)}`,
    },
  ])
  const { child, ended } = startForager([
    'serve',
    '--dir',
    dir,
    '--port',
    '0',
    '--json',
    '--rate',
    '0',
  ])
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout!.once('data', (data) => resolve(String(data)))
    void ended.then(({ stderr }) => reject(new Error(stderr)))
  })
  home = JSON.parse(line).url
  stop = () => {
    child.kill('SIGTERM')
    return ended
  }
  browser = await launchChromium()
})
afterAll(async () => {
  await browser?.close()
  await stop?.()
  site?.close()
  site?.closeAllConnections()
  if (dir) rmSync(dir, { recursive: true, force: true })
})

async function visit(options: Parameters<typeof openPage>[1] = {}) {
  const witness = await openPage(browser, options)
  onTestFinished(() => witness.close())
  return witness
}

const logged = () =>
  readdirSync(join(dir, 'queries'))
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .flatMap((name) =>
      readFileSync(join(dir, 'queries', name), 'utf8')
        .trimEnd()
        .split('\n'),
    )
    .map((line) => JSON.parse(line))

test('type, see results, choose one: the page opens, and the choice is in the log', async () => {
  const { page, troubles, hosts } = await visit()
  await page.goto(home)
  await page.getByRole('searchbox', { name: 'Search the crawled pages' }).fill('hiking trails')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('heading', { name: 'Results for hiking trails' }).waitFor()
  expect(await page.getByText('23 results').count()).toBe(1)
  expect(
    await page
      .getByRole('listitem')
      .filter({ has: page.locator('h2') })
      .count(),
  ).toBe(10)
  expect(await page.getByText('2 days ago').first().getAttribute('title')).toMatch(/UTC$/)
  expect(await page.locator('.excerpt mark').allInnerTexts()).toContain('hiking')
  expect([...hosts]).toEqual([new URL(home).host])

  const third = page.getByRole('link', { name: /Hiking trail/ }).nth(2)
  const title = (await third.textContent()) ?? ''
  await third.click()
  await page.waitForURL(`${siteUrl}/**`)
  expect(page.url()).toBe(`${siteUrl}/trails/${title.slice(13)}?a=1&b=${title.slice(13)}`)
  expect(await page.locator('#from').textContent()).toBe('nobody') // the site learns no query
  expect(troubles).toEqual([])

  const [asked, chosen] = logged().slice(-2)
  expect(asked).toMatchObject({ user_query: 'hiking trails', object_id_field: 'url' })
  expect(asked.query_response_hit_ids.length).toBe(10)
  expect(chosen).toMatchObject({
    action_name: 'click',
    query_id: asked.query_id,
    client_id: asked.client_id,
    event_attributes: { object: { object_id: page.url() }, position: { ordinal: 3 } },
  })

  const before = logged().length
  await page.goBack()
  await page.getByText('23 results').waitFor()
  expect(logged().length).toBe(before) // going back is no new search
})

test('the keyboard is enough', async () => {
  const { page } = await visit()
  await page.goto(home)
  await page.locator('#q:focus').waitFor() // a browser gives it the focus when it first draws the page
  await page.keyboard.type('hiking')
  await page.keyboard.press('Enter')
  await page.getByText('23 results').waitFor()

  await page.keyboard.press('/')
  expect(await focused(page)).toBe('q')
  await page.keyboard.type('trail/') // selected, so it is replaced; and a slash can still be typed
  expect(await page.getByRole('searchbox').inputValue()).toBe('trail/')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/search?q=trail%2F')

  await page.keyboard.press('Tab')
  expect(await page.locator(':focus').textContent()).toBe('Skip to results')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await page.locator(':focus').textContent()).toMatch(/^Hiking trail/)
  const ring = await inPage(page, 'getComputedStyle(document.activeElement).outlineStyle')
  expect(ring).toBe('solid')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${siteUrl}/**`)
})

const focused = (page: Page) => inPage(page, 'document.activeElement.id')
/** An expression as text: the types of the browser's world stay out of ours. */
const inPage = (page: Page, expression: string): Promise<unknown> => page.evaluate(expression)

test('without JavaScript everything works but the slash', async () => {
  const { page } = await visit({ javaScriptEnabled: false })
  await page.goto(home)
  await page.getByRole('searchbox').fill('hiking')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('link', { name: 'Page 3' }).click()
  await page.getByText('Page 3 of 23 results').waitFor()
  expect(await page.getByRole('link', { name: /Hiking trail/ }).count()).toBe(3)
  expect(await page.getByText('to search').isVisible()).toBe(false)
  await page.getByRole('link', { name: 'Previous page' }).click()
  await page.getByText('Page 2 of 23 results').waitFor()
  await page
    .getByRole('link', { name: /Hiking trail/ })
    .first()
    .click()
  await page.waitForURL(`${siteUrl}/**`)
})

test.each([
  ['/', 'home'],
  ['/search?q=hiking&page=2', 'results'],
  ['/search?q=berry', 'a hostile page'],
  [`/search?q=${'z'.repeat(300)}`, 'nothing found'],
  ['/no-such-page', 'a mistake'],
])('nothing is wider than a phone: %s (%s)', async (path) => {
  for (const width of [320, 390]) {
    const { page } = await visit({
      viewport: { width, height: 700 },
      isMobile: true,
      hasTouch: true,
    })
    await page.goto(new URL(path, home).href)
    expect(await inPage(page, 'innerWidth')).toBe(width)
    expect(await inPage(page, 'document.documentElement.scrollWidth')).toBe(width)
    for (const link of await page.getByRole('navigation').getByRole('link').all())
      expect((await link.boundingBox())?.height).toBeGreaterThan(40) // a thumb can hit it
  }
})

test('dark mode is dark, light mode is light', async () => {
  const brightness = async (colorScheme: 'light' | 'dark') => {
    const { page } = await visit({ colorScheme })
    await page.goto(new URL('/search?q=hiking', home).href)
    const sumOf = async (property: string) => {
      const colour = await inPage(page, `getComputedStyle(document.body).${property}`)
      return [...String(colour).matchAll(/\d+/g)].reduce((sum, [part]) => sum + Number(part), 0)
    }
    const [ground, ink] = [await sumOf('backgroundColor'), await sumOf('color')]
    return { ground, ink }
  }
  const light = await brightness('light')
  const dark = await brightness('dark')
  expect(light.ground).toBeGreaterThan(light.ink + 300)
  expect(dark.ink).toBeGreaterThan(dark.ground + 300)
})

test('a hostile page in the results stays words', async () => {
  const { page, troubles } = await visit()
  await page.goto(new URL('/search?q=berry%22%3E%3Cscript%3Ealert(4)%3C/script%3E', home).href)
  expect(await page.getByRole('heading', { level: 2 }).first().textContent()).toContain(
    '<script>alert(2)',
  )
  expect(await page.locator('img, svg[onload], script:not([src])').count()).toBe(0)
  expect(troubles).toEqual([])
})

test('a screen reader finds its way: landmarks, one heading, names for all that can be used', async () => {
  const { page } = await visit()
  await page.goto(new URL('/search?q=hiking', home).href)
  for (const role of ['banner', 'search', 'main', 'navigation', 'contentinfo'] as const)
    expect(await page.getByRole(role).count(), role).toBe(1)
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
  expect(await page.getByRole('heading', { level: 2 }).count()).toBe(10)
  for (const link of await page.getByRole('link').all())
    expect(
      ((await link.getAttribute('aria-label')) ?? (await link.textContent()))?.trim(),
    ).not.toBe('')
  expect(await page.locator('[aria-current="page"]').textContent()).toBe('1')
})
