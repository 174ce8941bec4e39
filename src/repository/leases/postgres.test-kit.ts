import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A PostgreSQL server of its own, in a folder that goes with it, at a socket in that folder. */
export interface TestPostgres {
  readonly url: string
  /** The folder of its socket. */
  readonly dir: string
  /** Another one after a restart. */
  readonly pid: number
  /** Ends it amid its work, and starts it again. */
  readonly restart: () => void
  readonly stop: () => void
}

/** Where Debian, and others, keep the programs. */
const bin = [...globSync('/usr/lib/postgresql/*/bin'), '/usr/local/bin', '/usr/bin'].findLast(
  (dir) => existsSync(join(dir, 'pg_ctl')) && existsSync(join(dir, 'initdb')),
)

/** `settings` as in `name=value`. */
export function startPostgres(settings: readonly string[] = []): TestPostgres {
  const dir = mkdtempSync(join(tmpdir(), 'forager-postgres-'))
  const data = join(dir, 'data')
  // The server refuses to be root's.
  const isRoot = process.getuid?.() === 0
  if (isRoot) execFileSync('chown', ['postgres', dir])
  const run = (program: string, ...args: string[]) => {
    const command = [join(bin!, program), ...args]
    const [first, ...rest] = isRoot ? ['runuser', '-u', 'postgres', '--', ...command] : command
    const { status, stderr } = spawnSync(first, rest, {
      cwd: dir,
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`${program} failed: ${stderr}`)
  }
  run('initdb', '-D', data, '-U', 'forager', '-A', 'trust', '-N', '-E', 'UTF8')
  const start = () =>
    run(
      ...(['pg_ctl', '-D', data, '-w', '-l', join(dir, 'log')] as const),
      ...([
        '-o',
        ['-k', dir, '-c listen_addresses= -c fsync=off', ...settings.map((it) => `-c ${it}`)].join(
          ' ',
        ),
        'start',
      ] as const),
    )
  start()
  return {
    url: `postgres://forager@localhost/postgres?host=${encodeURIComponent(dir)}`,
    dir,
    get pid() {
      return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
    },
    restart: () => {
      run('pg_ctl', '-D', data, '-m', 'immediate', 'stop')
      start()
    },
    stop: () => {
      run('pg_ctl', '-D', data, '-m', 'immediate', 'stop')
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
