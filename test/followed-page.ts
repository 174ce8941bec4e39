import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const BIN = join(import.meta.dirname, '..', 'bin', 'forager.js')

/** The lines of a page's shell blocks in their order, but for the set-up. */
export function commandsOf(page: string): string[] {
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code]) => code)
  return blocks.flatMap((code) => code.trim().split('\n')).filter((line) => line !== 'npm ci')
}

/** The config file that a page shows first. */
export function configOf(page: string): string {
  return /^```json\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? ''
}

/** Runs a line as a reader would, in a folder; with `npx forager` being this one. */
export async function shell(
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
