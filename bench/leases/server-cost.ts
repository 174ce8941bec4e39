import { readdirSync, readFileSync } from 'node:fs'

const TICKS_A_SECOND = 100

/** CPU seconds of a process and of all that it has started, ended ones included where it has waited for them. */
export function serverCost(pid: number): number {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return processes.reduce((sum, name) => sum + secondsOf(name, pid), 0)
}

function secondsOf(name: string, pid: number): number {
  try {
    const fields = read(name, 'stat')
      .replace(/^.*\) /, '')
      .split(' ')
    const [childUser, childSystem] = fields.slice(13, 15).map(Number)
    if (Number(name) === pid) return ownCost(pid) + (childUser + childSystem) / TICKS_A_SECOND
    return Number(fields[1]) === pid ? ownCost(Number(name)) : 0
  } catch {
    return 0 // it has just ended
  }
}

/** CPU seconds of that process alone, to the nanosecond: a step of a fleet takes a tenth of a tick. */
export function ownCost(pid: number): number {
  return Number(read(String(pid), 'schedstat').split(' ')[0]) / 1e9
}

function read(process: string, file: string): string {
  return readFileSync(`/proc/${process}/${file}`, 'utf8')
}
