import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'forager.js')
const TICKS_A_SECOND = 100

/** A control room, served by a process of its own until it is disposed of. */
export interface ServedControl extends AsyncDisposable {
  /** The body of an answer; other statuses than 200 are errors. */
  ask(path: string): Promise<string>
  /** How long an answer took, be it the word that it takes longer; milliseconds. */
  ms(path: string): Promise<number>
  rssMb(): number
  /** CPU of all its threads so far. */
  cpuSeconds(): number
  /** The stream of news. */
  events(signal: AbortSignal): Promise<Response>
}

export async function serveControl(dir: string): Promise<ServedControl> {
  const flags = ['serve', '--control', '--no-query-log', '--no-config', '--rate', '0', '--json']
  const child = spawn(process.execPath, [BIN, ...flags, '--port', '0', '--dir', dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  const { url } = JSON.parse(String(line))
  const askOnce = async (path: string) => {
    const answer = await fetch(new URL(path, url), { headers: { 'x-part': '1' } })
    if (answer.status !== 200 && answer.status !== 503)
      throw new Error(`${path}: status ${answer.status}`)
    return { status: answer.status, body: await answer.text() }
  }
  /** A part that takes long says so, and is asked for again, as browsers do. */
  const ask = async (path: string) => {
    for (;;) {
      const { status, body } = await askOnce(path)
      if (status === 503) continue
      const later = /^<div data-part="([^"]*)"/.exec(body)?.[1].replaceAll('&amp;', '&')
      if (later === undefined || new URL(later, url).href !== new URL(path, url).href) return body
    }
  }
  return {
    ask,
    async ms(path) {
      const begun = performance.now()
      await askOnce(path)
      return Math.round(performance.now() - begun)
    },
    rssMb() {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024)
    },
    cpuSeconds() {
      const [, after] = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')
      const fields = after.split(' ')
      return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND
    },
    events: (signal) => fetch(new URL('/control/events', url), { signal }),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
