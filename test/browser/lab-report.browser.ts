import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { startForager } from '../forager-process.ts'
import { launchChromium, openPage } from './chromium.ts'

let browser: Browser
const folder = sharedFolder()
const report = join(folder, 'report.html')

/** What reaches out of its figure. */
const CUT_WORDS = `[...document.querySelectorAll('svg text')]
  .filter((text) => {
    const [own, whole] = [text, text.closest('svg')].map((one) => one.getBoundingClientRect())
    return own.left < whole.left - 1 || own.right > whole.right + 1
  })
  .map((text) => text.textContent)`

beforeAll(async () => {
  const run = async (...args: string[]) =>
    expect(await startForager(args, folder).ended).toMatchObject({ code: 0 })
  await run('lab', 'generate', '--seed', '5', '--pages', '500', '--weeks', '2', '--out', 'web')
  const queries = ['--queries', 'same', '--splits', '1', '--setting', 'sample']
  await run('lab', 'run', 'ordering', '--archive', 'web', ...queries, '--report', report)
  browser = await launchChromium()
})
afterAll(async () => {
  await browser.close()
})

test.each([
  ['a phone', 390],
  ['a desk', 1200],
])('no word of a figure is cut, and nothing lies beside the page, on %s', async (_, width) => {
  const { page, troubles, close } = await openPage(browser, { viewport: { width, height: 800 } })
  await page.goto(pathToFileURL(report).href)
  const words = page.locator('svg text')
  expect(await words.count()).toBeGreaterThan(50)
  expect(await page.evaluate(CUT_WORDS)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  expect(troubles).toEqual([])
  await close()
})
