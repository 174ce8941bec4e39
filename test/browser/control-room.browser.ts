import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startReplayServer } from '#app/server/replay-server.ts'
import { readArchive } from '#archive/format/read-archive.ts'
import { writeArchive } from '#archive/format/write-archive.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { forager, startForager } from '../forager-process.ts'
import { launchChromium, openPage } from './chromium.ts'

/** Where pictures of all views go, for people to look at. */
const PICTURES = process.env.FORAGER_PICTURES ?? join(import.meta.dirname, '../../tmp/pictures')
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const STATES = ['finished', 'running', 'failed', 'empty'] as const
type State = (typeof STATES)[number]

const folder = sharedFolder()
const dirOf = (state: State) => join(folder, state)
const homes = new Map<State, string>()
const ends: (() => Promise<unknown>)[] = []
let browser: Browser
let web: Awaited<ReturnType<typeof startReplayServer>>
let seeds: readonly string[]
let crawler: ReturnType<typeof startForager>['child']

/** One web on this machine; crawls of it that ended, go on, were killed, or never began. */
beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true })
  const made = generateModelWeb({ seed: 11, pages: 500, weeks: 3 })
  await writeArchive(join(folder, 'web'), made)
  const archive = await readArchive(join(folder, 'web'))
  web = await startReplayServer({ archive, port: 0, from: 0, speed: 0 })
  seeds = archive.site.start
  const lines = made.workload!.queries.map(({ text }, i) => `"${text}",${1 + (i % 7)}`)
  writeFileSync(join(folder, 'log.csv'), `query,count\n${lines.join('\n')}\n`)
  await crawl('finished', '60')
  await crawl('finished', '+60')
  await crawl('failed', '40')
  await killed()
  crawler = await running()
  for (const state of STATES) homes.set(state, await serve(state))
  browser = await launchChromium()
}, 180_000)
afterAll(async () => {
  await browser?.close()
  for (const end of ends) await end()
  await web?.close()
}, 60_000)

const live = (state: State) => [
  ...['--dir', dirOf(state), '--contact', 'us@example.org', '--no-config'],
  ...['--resolve', `*=127.0.0.1:${web.port}`],
]

async function crawl(state: State, budget: string): Promise<void> {
  await forager(
    'queries',
    'import',
    join(folder, 'log.csv'),
    '--format',
    'csv',
    '--dir',
    dirOf(state),
  )
  const { code, stderr } = await forager(
    'crawl',
    ...seeds,
    ...live(state),
    '--delay',
    '0',
    '--budget',
    budget,
  )
  expect(code, stderr).toBe(0)
}

/** A run that was killed when it had sent something. */
async function killed(): Promise<void> {
  const { child, ended } = startForager([
    'crawl',
    ...live('failed'),
    '--delay',
    '1',
    '--budget',
    '400',
    '--log',
    join(folder, 'failed.log'),
  ])
  await lineIn(child.stderr!, /./, ended)
  await vi.waitUntil(() => (progressOf('failed')?.spent ?? 0) > 40, { timeout: 60_000 })
  child.kill('SIGKILL')
  await ended
}

/** A service that fetches a page a second of each host, for as long as the tests take. */
async function running() {
  const state = 'running'
  await forager(
    'queries',
    'import',
    join(folder, 'log.csv'),
    '--format',
    'csv',
    '--dir',
    dirOf(state),
  )
  const settings = join(folder, 'service.json')
  const seedsFile = JSON.stringify(join(folder, 'seeds.txt'))
  writeFileSync(
    settings,
    `{ "seedsFile": ${seedsFile}, "service": { "fetchesADay": 50000, "burst": 20 } }\n`,
  )
  writeFileSync(join(folder, 'seeds.txt'), `${seeds.join('\n')}\n`)
  const args = live(state).filter((arg) => arg !== '--no-config')
  const { child, ended } = startForager(['run', ...args, '--config', settings, '--delay', '1'])
  ends.push(() => {
    child.kill('SIGTERM')
    return ended
  })
  await lineIn(child.stderr!, /running in/, ended)
  await vi.waitUntil(() => (progressOf(state)?.spent ?? 0) > 10, { timeout: 60_000 })
  return child
}

function progressOf(state: State): { spent: number; doing: string } | undefined {
  try {
    return JSON.parse(readFileSync(join(dirOf(state), 'progress.json'), 'utf8'))
  } catch {
    return undefined // not there yet
  }
}

async function serve(state: State): Promise<string> {
  const config = state === 'running' ? ['--config', join(folder, 'service.json')] : ['--no-config']
  const { child, ended } = startForager([
    ...['serve', '--dir', dirOf(state), '--port', '0', '--json', '--rate', '0', ...config],
    ...['--control', '--control-actions', '--no-query-log'],
  ])
  ends.push(() => {
    child.kill('SIGTERM')
    return ended
  })
  return JSON.parse(await lineIn(child.stdout!, /\{/, ended)).controlUrl
}

/** The first line of a stream that is like that. */
function lineIn(
  stream: NodeJS.ReadableStream,
  pattern: RegExp,
  ended: Promise<{ stderr: string }>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    stream.on('data', (data) => {
      text += data
      const line = text.split('\n').find((one) => pattern.test(one))
      if (line) resolve(line)
    })
    void ended.then(({ stderr }) => reject(new Error(stderr)))
  })
}

async function visit(options: Parameters<typeof openPage>[1] = {}) {
  const witness = await openPage(browser, options)
  onTestFinished(() => witness.close())
  return witness
}

/** The page with all that comes later. */
async function open(page: Page, state: State, path = ''): Promise<void> {
  await page.goto(`${homes.get(state)}${path}`)
  await settled(page)
}
async function settled(page: Page): Promise<void> {
  await expect.poll(() => page.locator('[aria-busy]').count(), { timeout: 180_000 }).toBe(0)
}
/** An expression as text: the types of the browser's world stay out of ours. */
const inPage = (page: Page, expression: string): Promise<unknown> => page.evaluate(expression)

/** What axe finds wrong by WCAG 2.2 AA. */
async function violations(page: Page): Promise<string[]> {
  await inPage(page, `${AXE}; 0`)
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
  const found = (await inPage(
    page,
    `axe.run(document, ${JSON.stringify({ runOnly: { type: 'tag', values: tags } })}).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`,
  )) as string[]
  return found
}

/** Pages of every kind, by what the overview and the lists lead to. */
async function viewsOf(page: Page, state: State): Promise<[string, string][]> {
  const views: [string, string][] = [
    ...[
      ['overview', ''],
      ['queries', '/queries'],
      ['page', '/page'],
      ['belief', '/belief'],
    ],
    ...[
      ['hosts', '/hosts'],
      ['board', '/board'],
      ['changes', '/changes?days=30'],
    ],
  ] as [string, string][]
  if (state === 'empty') return views
  const first = async (path: string, selector: string) => {
    await open(page, state, path)
    const href = await page.locator(selector).first().getAttribute('href')
    return href!.replace('/control', '')
  }
  return [
    ...views,
    ['query', await first('/queries', 'tbody th a')],
    ['host', await first('/hosts', 'tbody th a')],
    ['wanted', await first('/board', '#next tbody th a')],
    ['held', await first('/changes?days=30', '#pages tbody th a')],
  ]
}

describe.each(STATES)('a crawl that is %s', (state) => {
  test('shows every view, on a phone and on a desk, in the light and in the dark, with nothing wrong', async () => {
    const plain = await visit()
    const views = await viewsOf(plain.page, state)
    for (const [look, width] of [
      ['desk', 1200],
      ['phone', 360],
    ] as const) {
      const { page, troubles, hosts } = await visit({ viewport: { width, height: 800 } })
      for (const [name, path] of views) {
        await open(page, state, path)
        expect(await page.getByRole('heading', { level: 1 }).count(), name).toBe(1)
        expect(
          await inPage(page, 'document.documentElement.scrollWidth'),
          `${name} is too wide`,
        ).toBe(width)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          const picture = `${state}-${name}-${look}-${colorScheme}`
          expect(await violations(page), picture).toEqual([])
          await page.screenshot({ path: join(PICTURES, `${picture}.png`), fullPage: true })
        }
      }
      expect(troubles).toEqual([])
      expect([...hosts]).toEqual([new URL(homes.get(state)!).host])
    }
  }, 480_000)
})

test('from the overview to the query in need and the page that helps it, by links alone', async () => {
  const { page } = await visit()
  await open(page, 'finished')
  await page.getByRole('link', { name: 'Queries', exact: true }).click()
  await page.getByRole('heading', { name: 'What do searchers miss?' }).waitFor()
  await page.locator('#list tbody th a').first().click()
  await settled(page)
  await page.locator('#wanted tbody th a').first().click()
  await settled(page)
  await page.getByRole('heading', { name: 'Queries that want it' }).waitFor()
  expect(await page.locator('#explained').getByText('not fetched yet').count()).toBe(1)
  expect(
    await page
      .locator('#explained')
      .getByText(/of .* bids/)
      .count(),
  ).toBe(1)
})

test('a failed run is told as a problem, with what to do', async () => {
  const { page } = await visit()
  await open(page, 'failed')
  const problem = page.locator('.problems li').filter({ hasText: 'ended without a word' })
  expect(await problem.textContent()).toContain('Run the same command again')
})

test('an empty directory says how to begin', async () => {
  const { page } = await visit()
  await open(page, 'empty')
  expect(await page.getByText('Nothing has been crawled here yet').count()).toBe(1)
})

test('without JavaScript a late part has a page of its own', async () => {
  const { page } = await visit({ javaScriptEnabled: false })
  await page.goto(`${homes.get('finished')}?wait=yes`)
  await page.getByRole('link', { name: 'Show it on a page of its own' }).first().click()
  await page.getByRole('heading', { name: 'What searchers miss most' }).waitFor()
})

test('the keyboard is enough: skip link, navigation, a wide table', async () => {
  const { page } = await visit()
  await open(page, 'finished', '/hosts')
  await page.keyboard.press('Tab')
  expect(await page.locator(':focus').textContent()).toBe('Skip to content')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await inPage(page, 'document.activeElement.id')).toBe('q')
  await page.keyboard.type('model')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/hosts?q=model')
})

/** Fills a form of a page, and says yes when asked; the question is free of faults too. */
async function act(page: Page, state: State, path: string, button: string, fields = {}) {
  await open(page, state, path)
  const form = page.locator('form').filter({ has: page.getByRole('button', { name: button }) })
  for (const [label, value] of Object.entries<string>(fields))
    await form.getByLabel(label).fill(value)
  await form.getByRole('button', { name: button }).first().click()
  await page.getByRole('heading', { name: 'Are you sure?' }).waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await violations(page), button).toEqual([])
  }
  await page.getByRole('button', { name: `Yes, ${button.toLowerCase()}` }).click()
  await page.getByRole('heading', { name: 'Done', exact: true, level: 1 }).waitFor()
}

/** The address of the first link of a list, as a page of the room has it. */
async function firstUrl(page: Page, state: State, path: string, selector: string): Promise<string> {
  await open(page, state, path)
  const href = await page.locator(selector).first().getAttribute('href')
  return new URL(href!, homes.get(state)).searchParams.get('url')!
}
const pageOf = (url: string) => `/page?${new URLSearchParams({ url })}`
const toldOf = async (page: Page, state: State, url: string) =>
  (
    await page.request.get(`${homes.get(state)!.replace('/control', '/api/control')}${pageOf(url)}`)
  ).json()
const logOf = (state: State): { kind: string }[] =>
  readFileSync(join(dirOf(state), 'control-log.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

test('a running crawl renews the page by itself, and obeys every action', async () => {
  const { page, troubles } = await visit()
  const state = 'running'
  await open(page, state)
  const spent = () => page.locator('.tiles dd').nth(2).textContent()
  const before = await spent()
  await expect.poll(spent, { timeout: 60_000 }).not.toBe(before)

  await act(page, state, '', 'Pause')
  await expect.poll(() => progressOf(state)?.doing, { timeout: 30_000 }).toBe('paused')
  await open(page, state)
  expect(await page.locator('.tiles dd').first().textContent()).toBe('Paused')
  expect(await violations(page)).toEqual([])
  await act(page, state, '', 'Resume')
  await expect.poll(() => progressOf(state)?.doing, { timeout: 30_000 }).toBe('crawling')
  await act(page, state, '', 'Set the rate', { 'Fetches a day': '90000' })
  expect(readFileSync(join(folder, 'service.json'), 'utf8')).toContain('90000')
  await act(page, state, '', 'Add this seed', { 'A URL to begin with': `${seeds[0]}#again` })
  await act(page, state, '', 'Reload settings')

  const held = await firstUrl(page, state, '/changes?days=30', '#pages tbody th a')
  await act(page, state, pageOf(held), 'Forget this page')
  const wanted = await firstUrl(page, state, '/board', '#next tbody th a')
  await act(page, state, pageOf(wanted), 'Fetch this now')
  const { host } = new URL(held)
  const hostPage = `/host?${new URLSearchParams({ name: host })}`
  await act(page, state, hostPage, 'Change its settings', {
    'Seconds between two requests': '2',
    'Requests at once': '1',
    'Quiet hours, with commas between': 'Sun 03:00-03:05',
    'Pages at most, in all': '5000',
    'Fetch copies again after': '9d',
  })
  const inForce = async () => {
    await open(page, state, hostPage)
    const told = await page.locator('#manner').textContent()
    return `${told}\n${JSON.stringify(progressOf(state))}` // who waits in vain sees what for
  }
  await expect.poll(inForce, { timeout: 180_000 }).toContain('Sun 03:00-03:05, as you asked')
  expect(await inForce()).toMatch(/5,000, as you asked.*after 9 days, as you asked/s)
  await act(page, state, hostPage, 'As the settings say')
  await act(page, state, '', 'Exclude this pattern', {
    'Addresses to leave alone; * is anything': `${host}/never/*`,
  })
  await act(page, state, '', 'Admit it again')
  const kindOf = async (url: string) => {
    const { explained } = await toldOf(page, state, url)
    return `${explained.about.state} ${explained.heldBackBy.map((hold: { kind: string }) => hold.kind)}`
  }
  await expect.poll(() => kindOf(held), { timeout: 180_000 }).toContain('known forgotten')
  await expect.poll(() => kindOf(wanted), { timeout: 180_000 }).not.toMatch(/^known/)
  expect(crawler.exitCode).toBeNull()
  await act(page, state, '', 'Stop')
  await expect.poll(() => crawler.exitCode, { timeout: 60_000 }).not.toBeNull()
  expect(logOf(state).map(({ kind }) => kind)).toEqual([
    ...['pause', 'resume', 'rate', 'seed', 'reload', 'forget', 'fetch', 'site', 'site'],
    ...['exclude', 'readmit', 'stop'],
  ])
  expect(troubles).toEqual([])
}, 480_000)

describe.each([
  ['finished', 360],
  ['failed', 1200],
] as const)('a crawl at rest that %s', (state, width) => {
  test('takes what is said to it: a page is forgotten at once, the rest waits for the next run', async () => {
    const { page, troubles } = await visit({ viewport: { width, height: 800 } })
    const held = await firstUrl(page, state, '/changes?days=30', '#pages tbody th a')
    const { host } = new URL(held)
    await act(page, state, pageOf(held), 'Forget this page')
    await expect
      .poll(async () => (await toldOf(page, state, held)).explained.about.state, {
        timeout: 60_000,
      })
      .toBe('known')
    await act(page, state, pageOf(held), 'Fetch this now')
    const hostPage = `/host?${new URLSearchParams({ name: host })}`
    await act(page, state, hostPage, 'Change its settings', {
      'Seconds between two requests': '3',
    })
    await open(page, state, hostPage)
    expect(await page.locator('#manner').textContent()).toContain('3 s between requests')
    await act(page, state, '', 'Exclude this pattern', {
      'Addresses to leave alone; * is anything': `${host}/never/*`,
    })
    await open(page, state)
    expect(await page.locator('.rows code').textContent()).toBe(`${host}/never/*`)
    await act(page, state, '', 'Admit it again')
    await act(page, state, '', 'Add this seed', { 'A URL to begin with': held })
    expect(logOf(state).map(({ kind }) => kind)).toEqual([
      ...['forget', 'fetch', 'site', 'exclude', 'readmit', 'seed'],
    ])
    await page.goto(
      `${homes.get(state)}/page?${new URLSearchParams({ url: 'javascript:alert(1)' })}`,
    )
    expect(troubles.filter((text) => !text.includes('400'))).toEqual([])
  }, 240_000)
})

test('where there is no crawl nothing can be done', async () => {
  const { page } = await visit()
  await open(page, 'empty')
  expect(await page.getByRole('button').count()).toBe(0)
})
