import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startPostgres } from '#repository/leases/postgres.test-kit.ts'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { judge } from '../bench/fleet/judge.ts'
import { runFleet, startFarm } from '../bench/fleet/run-fleet.ts'
import { commandsOf, shell } from './followed-page.ts'
import { html, startScriptedSite } from './scripted-site.ts'

const PROGRAM = join(import.meta.dirname, '..', 'bin', 'forager.js')

/** Run by `npm run test:postgres`, in CI too. */
const isWanted = process.env.FORAGER_POSTGRES !== undefined

describe.runIf(isWanted)('a fleet', () => {
  test('keeps all that it promises while workers, planner and database are killed', async () => {
    const dir = temporaryFolder()
    const farm = await startFarm(dir)
    const delay = 0.5
    const { ledger, code } = await runFleet(
      {
        ...{ dir, workers: 3, budget: 700, delay: String(delay), seed: 3, seconds: 150 },
        troubles: {
          ...{ workerKills: 5, plannerKills: 1, partitions: 1, restarts: 1, fullDisks: 1 },
          ...{ seconds: 20, longestCutSeconds: 8 },
        },
      },
      farm,
    )
    await farm.stop()
    const evidence = { serverLog: farm.log, dir: join(dir, 'crawl'), budget: 700, ledger }
    const { faults, onTheWire } = await judge({ ...evidence, delayMs: 1000 * delay })
    expect({ code, ...faults }).toEqual({
      code: 0,
      ...Object.fromEntries(Object.keys(faults).map((fault) => [fault, 0])),
    })
    expect(onTheWire).toBeGreaterThan(200)
  }, 180_000)

  test('can be set up as the how-to page says', async () => {
    const server = startPostgres()
    onTestFinished(() => server.stop())
    const links = Array.from({ length: 20 }, (_, i) => `<a href="/${i}">${i}</a>`).join(' ')
    const pages = Object.fromEntries(
      Array.from({ length: 20 }, (_, i) => [`/${i}`, html(`<title>${i}</title>stony ${i}`)]),
    )
    using site = await startScriptedSite({ '/': html(`<title>Trails</title>${links}`), ...pages })
    const folder = temporaryFolder()
    const page = readFileSync('docs/how-to/fetch-from-many-machines.md', 'utf8')
    // One of its 22 fetches is for a sitemap. Nothing is installed here, and example.org is asked for on this machine.
    const lines = commandsOf(page)
      .filter((line) => !line.startsWith('npm install'))
      .map((line) =>
        line
          .replace('--budget 500', `--budget 500 --resolve '${site.resolve}' --delay 0`)
          // What runs behind the shell is to be its own child, so that it can be ended.
          .replace(/^npx forager (.*&)$/, `exec "${process.execPath}" "${PROGRAM}" $1`),
      )
    const { code, stdout, stderr } = await shell(
      [`export DATABASE='${server.url}'`, ...lines].join('\n'),
      folder,
    )
    expect([code, stderr]).toMatchObject([0, expect.anything()])
    expect(stdout).toContain('nothing left to fetch: 22 of 500 fetches')
    expect(stdout).toMatch(/3 workers, 0 leases/)
    expect(stdout).toContain('of 500 fetches 22 are done, 0 promised, 0 paid for and lost')
    expect(readdirSync(join(folder, 'forager-data'))).toContain('log')
  }, 120_000)
})
