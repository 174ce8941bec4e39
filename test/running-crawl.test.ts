import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { startEndlessSite } from './endless-site.ts'
import { type Ended, forager, startForager } from './forager-process.ts'

const folder = sharedFolder()
const inFolder = (name: string) => join(folder, name)

/** Waits until `look` gives something. */
async function until<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describe('a running crawl', () => {
  const crawlArgs = (dir: string, resolve: string) => [
    'crawl',
    'http://h0.test/0',
    '--dir',
    dir,
    '--budget',
    '100000',
    '--delay',
    '0.02',
    '--resolve',
    resolve,
    '--json',
  ]

  /** What the child has said on stderr so far, once it says something that fits. */
  function hear(child: ReturnType<typeof startForager>['child'], words: RegExp): Promise<string> {
    let heard = ''
    return new Promise((resolve) => {
      child.stderr?.on('data', (data) => {
        heard += data
        const match = words.exec(heard)
        if (match) resolve(match[1] ?? match[0])
      })
    })
  }

  test('shows metrics and health, can be paused, resumed and stopped, and goes on later', async () => {
    const dir = inFolder('controlled')
    let asked = 0
    const site = await startEndlessSite(() => {
      asked++
    })
    const { child, ended } = startForager([...crawlArgs(dir, site.resolve), '--metrics-port', '0'])
    try {
      const metricsUrl = await hear(child, /metrics: (http:\/\/127\.0\.0\.1:\d+\/metrics)/)
      await until(() => (asked > 30 ? true : undefined))
      const metrics = await (await fetch(metricsUrl)).text()
      expect(metrics).toMatch(/^forager_fetches_total\{outcome="page"\} [1-9]/m)
      expect(metrics).toMatch(/^forager_budget_fetches 100000$/m)
      expect(metrics).toMatch(/^forager_known_urls [1-9]/m)
      expect(metrics).toMatch(/^forager_plan_seconds [\d.e-]+$/m)
      const health = async () => (await fetch(metricsUrl.replace('metrics', 'health'))).json()
      expect(await health()).toMatchObject({ status: 'ok', doing: 'crawling' })

      const paused = await forager('pause', '--dir', dir)
      expect(paused.code, paused.stderr).toBe(0)
      expect(paused.stdout).toMatch(/paused/)
      // What was under way when it paused is answered; from then on nothing is sent.
      await until(async () => {
        const before = asked
        expect((await forager('status', '--dir', dir)).stdout).toMatch(/a crawl is paused/)
        return asked === before ? true : undefined
      })
      expect(await health()).toMatchObject({ doing: 'paused' })
      const atPause = asked

      expect((await forager('resume', '--dir', dir)).stdout).toMatch(/goes on/)
      await until(() => (asked > atPause + 20 ? true : undefined))

      await forager('pause', '--dir', dir)
      const stopped = await forager('stop', '--dir', dir, '--json') // also while paused
      expect(stopped.code, stopped.stderr).toBe(0)
      expect(JSON.parse(stopped.stdout)).toMatchObject({ dir, doing: 'ended' })
      const run: Ended = await ended
      expect(run.code).toBe(0)
      expect(JSON.parse(run.stdout)).toMatchObject({ end: 'stopped', spent: asked })

      const next = await forager(...crawlArgs(dir, site.resolve), '--budget', String(asked + 5))
      expect(JSON.parse(next.stdout)).toMatchObject({ end: 'budget spent', fetchedNow: 5 })
    } finally {
      child.kill('SIGKILL')
      site.close()
    }
  })

  test.each(['pause', 'resume', 'stop'])(
    '%s without a crawl is one clear line and exit code 2',
    async (control) => {
      const dir = inFolder(`no-crawl-${control}`)
      mkdirSync(dir)
      const { code, stderr } = await forager(control, '--dir', dir)
      expect(code).toBe(2)
      expect(stderr).toBe(`forager: no crawl is running in ${dir}: nothing to ${control}\n`)
    },
  )

  test('files that a killed crawl left behind mislead nobody', async () => {
    const dir = inFolder('stale')
    const site = await startEndlessSite(() => {})
    const { child, ended } = startForager(crawlArgs(dir, site.resolve))
    await until(() => (existsSync(join(dir, 'progress.json')) ? true : undefined))
    child.kill('SIGKILL')
    await ended
    writeFileSync(join(dir, 'control.json'), '{"id":"old","control":"stop"}')
    expect(existsSync(join(dir, 'progress.json'))).toBe(true)
    expect((await forager('stop', '--dir', dir)).code).toBe(2)
    const again = await forager(...crawlArgs(dir, site.resolve), '--budget', '40')
    expect(JSON.parse(again.stdout)).toMatchObject({ end: 'budget spent', spent: 40 })
    site.close()
  })
})
