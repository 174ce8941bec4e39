import { join } from 'node:path'
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { smallArchive } from '#archive/format/small-archive.test-kit.ts'
import { writeArchive } from '#archive/format/write-archive.ts'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { EXPERIMENTS } from '../experiments.ts'
import type { CommonOptions } from './experiment.ts'

const folder = sharedFolder()

test.each(['live', 'weeks', 'ordering', 'neediness'])(
  'lab run %s names the archive that has no queries',
  async (name) => {
    const dir = join(folder, name)
    const pages = { 'https://a.org/': [{ live: [0, 1] as const, text: ['hills'] }] }
    await writeArchive(dir, smallArchive(2, pages))
    const experiment = EXPERIMENTS[name]
    const command = new Command()
    experiment.addFlags(command)
    const run = await experiment.prepare({ ...command.opts(), archive: [dir], seed: 1 })
    await expect(run.steps[0].run()).rejects.toThrow(
      `${dir} has no queries (queries.tsv.gz): choose an archive that has`,
    )
  },
)

test.each(['live', 'weeks'])(
  'what lab run %s finds tells nothing of how it is shown',
  async (name) => {
    const dir = join(folder, `${name}-folder`)
    const pages = { 'https://a.org/': [{ live: [0, 1] as const, text: ['hills'] }] }
    const queries = [{ id: 'q1', text: 'hills', weight: 5 }]
    const workload = { queries, judgments: [], clicks: [] }
    await writeArchive(dir, { ...smallArchive(2, pages), workload })
    const command = new Command()
    EXPERIMENTS[name].addFlags(command)
    const options = { ...command.opts(), policies: 'bfs', archive: [dir], seed: 1, json: true }
    const run = await EXPERIMENTS[name].prepare({ ...options, out: 'a.json' } as CommonOptions)
    const found: unknown[] = []
    for (const step of run.steps) found.push((await step.run()).found)
    const { result } = run.present(JSON.parse(JSON.stringify(found)))
    expect(result).toMatchObject({ experiment: name, archive: 'small', seed: 1 })
    expect(Object.keys(result)).not.toContain('json')
    expect(JSON.stringify(result)).not.toMatch(/a\.json|-folder/)
  },
)
