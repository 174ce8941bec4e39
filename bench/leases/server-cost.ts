import { readdirSync, readFileSync } from 'node:fs'

const TICKS_A_SECOND = 100

/** CPU seconds of a process and of all that it has started, ended ones included where it has waited for them. */
export function serverCost(pid: number): number {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return processes.reduce((sum, name) => sum + secondsOf(name, pid), 0)
}

function secondsOf(name: string, pid: number): number {
  try {
    const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    const [user, system, childUser, childSystem] = fields.slice(11, 15).map(Number)
    if (Number(name) === pid) return (user + system + childUser + childSystem) / TICKS_A_SECOND
    return Number(fields[1]) === pid ? (user + system) / TICKS_A_SECOND : 0
  } catch {
    return 0 // it has just ended
  }
}
