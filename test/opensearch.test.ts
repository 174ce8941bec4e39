import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { startOpenSearchDouble } from '#library/opensearch/opensearch-server.test-kit.ts'
import { isThorough } from '#numeric/cases.test-kit.ts'
import { readLog } from '#repository/state/take-up-log.ts'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { commandsOf, shell } from './followed-page.ts'

let root: string
beforeEach(() => {
  root = temporaryFolder()
})

test.runIf(isThorough)(
  'the how-to page can be followed: an index is filled, asked, and steers a crawl',
  async () => {
    using server = await startOpenSearchDouble()
    const { double } = server
    const page = readFileSync('docs/how-to/use-opensearch.md', 'utf8')
    const { host } = new URL(server.address)
    const commands = commandsOf(page.replaceAll('127.0.0.1:9200', host))
    expect(commands.length).toBe(5)
    for (const command of commands) {
      if (command.includes('queries import')) {
        const [word] = [...double.docs.values()].flatMap(
          ({ document }) => document?.title.split(' ') ?? [],
        )
        double.others.ubi_queries = [word, 'nothing'].map((user_query, i) => ({
          _source: { user_query, query_id: `q${i}`, timestamp: '2026-11-18T03:00:00Z' },
        }))
      }
      const { code, stderr, stdout } = await shell(command, root)
      expect(code, `${command}\n${stderr}`).toBe(0)
      if (command.includes('push')) expect(stdout).toMatch(/^\d\d pages to http/)
      if (command.includes('import')) expect(stdout).toMatch(/2 records of queries/)
    }
    const shown = [...double.docs.values()].filter(({ document }) => document)
    expect(shown.length).toBeGreaterThan(60)
    const dir = join(root, 'forager-data')
    const judged = []
    for await (const entry of readLog(dir))
      if (entry.kind === 'end' && entry.gains) judged.push(entry)
    const gains = judged.flatMap((entry) =>
      entry.kind === 'end' ? [...entry.gains!.values()] : [],
    )
    expect(gains.length).toBe(30)
    expect(Math.max(...gains)).toBeGreaterThan(0)
    expect(double.requests).toContain('POST /pages/_msearch')
  },
)
