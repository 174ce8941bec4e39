import { expect, onTestFinished, test } from 'vitest'
import { startReplayServer } from '#app/server/replay-server.ts'
import { QueryLog, queryLogFolder } from '#app/server/search/search-log.ts'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import type { Entry } from '#learn/entries/entry.ts'
import { isThorough } from '#numeric/cases.test-kit.ts'
import { readLog } from '#repository/state/take-up-log.ts'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { forager, startForager } from './forager-process.ts'

const records = generateModelWeb({ seed: 5, pages: 500, weeks: 1 })
const [{ text: searched }] = records.workload!.queries

test.runIf(isThorough)(
  'what people search while a crawl runs counts from its next plan on',
  async () => {
    const dir = temporaryFolder()
    const archive = archiveOf(records)
    let requests = 0
    const server = await startReplayServer({
      ...{ archive, port: 0, from: 0, speed: 0 },
      onRequest: () => {
        if (++requests === 60) search()
        return () => {}
      },
    })
    onTestFinished(() => server.close())
    const search = () => {
      const log = new QueryLog(
        queryLogFolder(dir),
        () => Date.now(),
        () => {},
      )
      log.noteSearch({ application: 'search-page', text: searched, offset: 0, total: 3, shown: [] })
    }
    const args = ['--dir', dir, '--delay', '0', '--batch', '40', '--budget', '160', '--json']
    const web = ['--resolve', `*=127.0.0.1:${server.port}`]
    const { ended } = startForager(['crawl', ...archive.site.start, ...web, ...args])
    const { code, stderr } = await ended
    expect(code, stderr).toBe(0)

    const entries = await Array.fromAsync(readLog(dir))
    const place = entries.findIndex(({ kind }) => kind === 'searches')
    const { queries } = entries[place] as Extract<Entry, { kind: 'searches' }>
    expect(queries).toMatchObject([{ text: searched }])
    const plans = (some: readonly Entry[]) => some.filter(({ kind }) => kind === 'plan')
    expect(plans(entries.slice(0, place)).length).toBeGreaterThan(0)
    // Before, nobody could say what a fetch was worth to searchers.
    const gains = (some: readonly Entry[]) =>
      some.flatMap((entry) => (entry.kind === 'fetch' ? (entry.realisedGain ?? []) : []))
    expect(gains(entries.slice(0, place))).toEqual([])
    expect(gains(entries.slice(place)).length).toBeGreaterThan(0)

    const [last] = plans(entries).slice(-1) as Extract<Entry, { kind: 'plan' }>[]
    const again = await forager('plan', '--dir', dir, '--at', `${last.cycle}`, '--json')
    expect(again.code, again.stderr).toBe(0)
    expect(JSON.parse(again.stdout).fetches.length).toBe(last.urls.length)
  },
)
