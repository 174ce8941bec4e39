import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { startForager } from './forager-process.ts'

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
})

/** How a process that sends a request was started. */
interface Started {
  readonly flags: string
  readonly variables: readonly string[]
}

/** A site that answers its first request when it has been looked at who asks. */
async function site(look: () => void) {
  const server = createServer((_, response) => {
    look()
    response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  return `--resolve=*=127.0.0.1:${(server.address() as AddressInfo).port}`
}

function startedAs(pid: number): Started {
  const words = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'utf8').split('\0')
  return { flags: words('cmdline').join(' '), variables: words('environ') }
}

const flags = (place: string) => [
  ...['--dir', join(folder, 'crawl'), '--contact', 'a@a.test', '--delay', '0', place],
]
const SEED = 'http://a.test/'
const FORAGER = join(import.meta.dirname, '..', 'bin', 'forager.js')
/** Starts programs, and may be called by name. */
const LOADER = '/lib64/ld-linux-x86-64.so.2'

describe.runIf(process.platform === 'linux')('a crawl', () => {
  test('begins anew with less memory, as the same process, and says nothing of it', async () => {
    let seen: Started | undefined
    const place = await site(() => {
      seen ??= startedAs(child.pid!)
    })
    const env = { MALLOC_TRIM_THRESHOLD_: '77' }
    const args = ['crawl', SEED, '--budget', '1', ...flags(place)]
    const { child, ended } = startForager(args, undefined, undefined, env)
    const { code, signal, stderr } = await ended
    expect({ code, signal }, stderr).toEqual({ code: 0, signal: null })
    expect(stderr).not.toMatch(/warning/i)
    expect(seen!.flags).toContain('--max-semi-space-size=4')
    expect(seen!.variables).toContain('MALLOC_ARENA_MAX=2')
    expect(seen!.variables).toContain('MALLOC_TRIM_THRESHOLD_=77') // the operator's own
  })

  test('keeps exit codes, and ends at a signal', async () => {
    expect(await startForager(['crawl', '--dir', join(folder, 'none')]).ended).toMatchObject({
      code: 2,
    })
    const place = await site(() => child.kill('SIGTERM'))
    const { child, ended } = startForager(['run', SEED, ...flags(place)])
    expect(await ended).toMatchObject({ code: 0, signal: null })
  })

  test.runIf(existsSync(LOADER))('runs where a loader was given Node to run', async () => {
    let seen: Started | undefined
    const place = await site(() => {
      seen ??= startedAs(child.pid!)
    })
    const args = [process.execPath, FORAGER, 'crawl', SEED, '--budget', '1', ...flags(place)]
    const child = spawn(LOADER, args, { stdio: 'ignore' })
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0)
    expect(seen?.flags).not.toContain('semi-space')
  })

  test('is left as it is where a shell has passed on a file', async () => {
    let seen: Started | undefined
    const place = await site(() => {
      seen ??= startedAs(child.pid!)
    })
    const command = [process.execPath, FORAGER, 'crawl', '--budget', '1', ...flags(place)]
    const script = `exec "$@" --seeds /dev/fd/3 3< <(echo ${SEED})`
    const child = spawn('bash', ['-c', script, 'bash', ...command], { stdio: 'ignore' })
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0)
    expect(seen!.flags).not.toContain('semi-space')
  })
})
