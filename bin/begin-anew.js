// A crawl begins anew, as the same process, with what can only be set before a program starts: how the engine and the
// C library treat memory (docs/decisions/0032-memory.md). What operators have set themselves stays.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'

const COMMANDS = new Set(['crawl', 'run', 'worker', 'epochs', 'step'])

/** Space for new objects grows to 128 MB by itself, and a crawl is no faster by it. */
const FLAG = '--max-semi-space-size=4'

/** Of glibc; others do not read them. Freed arrays of a mebibyte and more go back to the system at once. */
const VARIABLES = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '1048576',
  MALLOC_MMAP_THRESHOLD_: '1048576',
}

/** Arguments and environment share 2 MB: near that, one more might be too many, which would end the process. */
const MOST_CHARACTERS = 1e6

/** Does not return if it does so. */
export function beginAnew() {
  const { argv0, argv, execArgv, execPath, env, channel } = process
  const isSetAlready = /semi[-_]space/.test(`${execArgv} ${env.NODE_OPTIONS}`)
  if (process.platform !== 'linux' || !COMMANDS.has(argv[2]) || isSetAlready || channel) return
  if (!process.execve || argv.join('').length > MOST_CHARACTERS || wouldLoseFiles()) return
  if (!mayBeStarted(execPath)) return
  // The warning that this is new in Node would come later, so nobody sees it.
  process.execve(execPath, [argv0, ...execArgv, FLAG, ...argv.slice(1)], { ...VARIABLES, ...env })
}

/**
 * Node ends where it cannot begin anew, and a crawl must run all the same. So a sandbox that forbids new programs is
 * asked first, by one that does nothing, and what is no Node, as a loader that was given Node to run, is left alone.
 */
function mayBeStarted(path) {
  if (!/^node/.test(basename(path))) return false
  const { error, signal } = spawnSync('/bin/true', { stdio: 'ignore' })
  return signal === null && (!error || error.code === 'ENOENT')
}

/** Of a file that does not outlive `execve`: Node has marked those that were passed on, the first few at least. */
const CLOSED_BY_EXEC = 0o2000000

/**
 * Whether files of whoever started us would be closed: seeds (`--seeds /dev/fd/3`), a lock. Those of Node itself are of
 * the kernel's own kinds, or pipes of which it has both ends.
 */
function wouldLoseFiles() {
  const places = readdirSync('/proc/self/fd')
    .filter((fd) => fd > 2)
    .flatMap(placeOf)
  const isOwn = (place) =>
    /^anon_inode:|^\/dev\/null$/.test(place) ||
    (place.startsWith('pipe:') && places.filter((other) => other === place).length === 2)
  return !places.every(isOwn)
}

function placeOf(fd) {
  try {
    const place = readlinkSync(`/proc/self/fd/${fd}`)
    const [, flags] = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))
    return Number.parseInt(flags, 8) & CLOSED_BY_EXEC ? [place] : []
  } catch {
    return [] // the folder that is being read
  }
}
