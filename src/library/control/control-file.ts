import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtOnce } from '#repository/durable-file.ts'

const CONTROLS = ['pause', 'resume', 'stop', 'reload'] as const

/** What a running crawl can be asked. */
export type Control = (typeof CONTROLS)[number]

interface ControlRequest {
  readonly id: string
  readonly control: Control
}

const pathIn = (dir: string) => join(dir, 'control.json')

/**
 * Leaves a request in a crawl's directory. The crawl looks four times a second, takes the file away and
 * names the request's id in progress.json. A file works wherever the directory does; a socket's path
 * may be too long, and a dead one cannot be told from a living one without knocking.
 */
export function askCrawl(dir: string, control: Control): ControlRequest {
  const request = { id: randomUUID(), control }
  writeAtOnce(pathIn(dir), `${JSON.stringify(request)}\n`)
  return request
}

/** Takes the request that waits in a directory, if there is one that can be understood. */
export function takeRequest(dir: string): ControlRequest | undefined {
  const taken = `${pathIn(dir)}.taken`
  try {
    renameSync(pathIn(dir), taken) // nobody can replace it between reading and removing
    const request = JSON.parse(readFileSync(taken, 'utf8'))
    return CONTROLS.includes(request?.control) ? request : undefined
  } catch {
    return undefined // mostly because there is none
  } finally {
    rmSync(taken, { force: true })
  }
}

/** Forgets a request: its crawl is gone, or it was meant for an earlier one. */
export function dropRequest(dir: string): void {
  rmSync(pathIn(dir), { force: true })
}
