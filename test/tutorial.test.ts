import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isThorough } from '#numeric/cases.test-kit.ts'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { commandsOf, configOf, shell } from './followed-page.ts'
import { startForager } from './forager-process.ts'

const tutorial = readFileSync('docs/tutorial.md', 'utf8')
const SERVE = 'lab serve'

test.runIf(isThorough)(
  'the tutorial can be followed, and the query log pays',
  { timeout: 300_000 },
  async () => {
    const folder = temporaryFolder()
    const gains: number[] = []
    for (const command of commandsOf(tutorial)) {
      if (command.includes(SERVE)) {
        const port = await serve(folder)
        // Between making the web and crawling it, the reader writes the config file.
        writeFileSync(join(folder, 'forager.config.json'), configOf(tutorial).replace('8081', port))
        continue
      }
      const { code, stdout, stderr } = await shell(command, folder)
      expect(code, `${command}\n${stderr}`).toBe(0)
      const gained = /gained ([\d.]+) of quality/.exec(stdout)?.[1]
      if (gained !== undefined) gains.push(Number(gained))
    }
    const [withLog, withoutLog] = gains
    expect(withLog).toBeGreaterThan(withoutLog)
  },
)

/** Serves the web on a free port until the test ends; gives the port. */
async function serve(folder: string): Promise<string> {
  const { child } = startForager(['lab', 'serve', 'modelweb', '--port', '0', '--json'], folder)
  onTestFinished(() => void child.kill())
  const [line] = await once(child.stdout!, 'data')
  return /:(\d+)/.exec(String(line))![1]
}
