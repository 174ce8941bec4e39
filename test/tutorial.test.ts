import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isThorough } from '#numeric/cases.test-kit.ts'
import { startForager } from './forager-process.ts'

const BIN = join(import.meta.dirname, '..', 'bin', 'forager.js')
const tutorial = readFileSync('docs/tutorial.md', 'utf8')
const SERVE = 'lab serve'

test.runIf(isThorough)(
  'the tutorial can be followed, and the query log pays',
  { timeout: 300_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'forager-tutorial-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
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

/** The lines of its shell blocks in their order, but for the set-up. */
function commandsOf(text: string): string[] {
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code]) => code)
  return blocks.flatMap((code) => code.trim().split('\n')).filter((line) => line !== 'npm ci')
}

function configOf(text: string): string {
  return /^```json\n([\s\S]*?)^```$/m.exec(text)?.[1] ?? ''
}

/** Serves the web on a free port until the test ends; gives the port. */
async function serve(folder: string): Promise<string> {
  const { child } = startForager(['lab', 'serve', 'modelweb', '--port', '0', '--json'], folder)
  onTestFinished(() => void child.kill())
  const [line] = await once(child.stdout!, 'data')
  return /:(\d+)/.exec(String(line))![1]
}

async function shell(
  command: string,
  cwd: string,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const npx = `npx() { shift; "${process.execPath}" "${BIN}" "$@"; }`
  const child = spawn('bash', ['-c', `set -e -o pipefail; ${npx}; ${command}`], { cwd })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (data) => {
    stdout += data
  })
  child.stderr.on('data', (data) => {
    stderr += data
  })
  const [code] = await once(child, 'close')
  return { code: Number(code), stdout, stderr }
}
