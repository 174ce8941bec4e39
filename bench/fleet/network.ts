import { execFileSync } from 'node:child_process'
import { FARM, LOOPBACK } from './farm-names.ts'

/** How the programs of a fleet reach the farm and the database. */
export interface Network {
  /** For whoever reads the figures. */
  readonly about: string
  /** The farm's addresses begin with it. */
  readonly farm: string
  /** Where a worker finds lines to the database. */
  lineHost(worker: number): string
  /** What a worker is started by, if not by itself. */
  prefix(worker: number): readonly string[]
  /** What a worker's requests come from, where its machine does not say. */
  sourceOf(worker: number): string | undefined
  /** Takes a worker's link down, and up again; false if there is none. */
  setLink(worker: number, isUp: boolean): boolean
  close(): void
}

const LATENCY = 'the server waits before it answers: kernels without netem have no other latency'

/** A network namespace for each worker where that can be had, for root on Linux; else the loopback. */
export function fleetNetwork(workers: number): Network {
  try {
    return namespaces(workers)
  } catch (error) {
    const why = (error as Error).message.trim().split('\n').at(-1)
    return loopback(`no namespaces (${why})`)
  }
}

export function loopback(why: string): Network {
  return {
    about: `loopback, ${why}: lines to the database are cut by a proxy; ${LATENCY}`,
    farm: LOOPBACK,
    lineHost: () => '127.0.0.1',
    prefix: () => [],
    sourceOf: (worker) => `127.8.0.${worker + 1}`,
    setLink: () => false,
    close: () => {},
  }
}

function namespaces(workers: number): Network {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) throw new Error('only for root')
  // Several runs at once have a net each.
  const net = `10.${64 + (process.pid % 128)}`
  const own = (worker: number) => `fleet${process.pid}-${worker}`
  const near = (worker: number) => `fl${process.pid}-${worker}`
  const all = Array.from({ length: workers }, (_, worker) => worker)
  const farm = Array.from({ length: FARM.addresses }, (_, i) => `${net}.255.${i + 1}/32`)
  const close = () => {
    for (const worker of all) tryIp('netns', 'del', own(worker))
    for (const worker of all) tryIp('link', 'del', near(worker))
    for (const address of farm) tryIp('addr', 'del', address, 'dev', 'lo')
  }
  try {
    for (const address of farm) ip('addr', 'add', address, 'dev', 'lo')
    for (const worker of all) {
      const [here, there] = [`${net}.${worker}.1`, `${net}.${worker}.2`]
      const inside = (...args: string[]) => ip('-n', own(worker), ...args)
      ip('netns', 'add', own(worker))
      ip('link', 'add', near(worker), 'type', 'veth', 'peer', 'name', 'eth0', 'netns', own(worker))
      ip('addr', 'add', `${here}/24`, 'dev', near(worker))
      ip('link', 'set', near(worker), 'up')
      inside('addr', 'add', `${there}/24`, 'dev', 'eth0')
      inside('link', 'set', 'lo', 'up')
      inside('link', 'set', 'eth0', 'up')
      inside('route', 'add', 'default', 'via', here)
      // As the how-to page says: what a worker that was killed has sent into a broken network must not arrive later.
      ip('netns', 'exec', own(worker), 'sysctl', '-qw', 'net.ipv4.tcp_orphan_retries=1')
    }
  } catch (error) {
    close()
    throw error
  }
  return {
    about: `a network namespace a worker, whose link is taken down; ${LATENCY}`,
    farm: `${net}.255`,
    lineHost: (worker) => `${net}.${worker}.1`,
    prefix: (worker) => ['ip', 'netns', 'exec', own(worker)],
    sourceOf: () => undefined,
    setLink: (worker, isUp) => {
      ip('link', 'set', near(worker), isUp ? 'up' : 'down')
      return true
    },
    close,
  }
}

function ip(...args: readonly string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
}

function tryIp(...args: readonly string[]): void {
  try {
    ip(...args)
  } catch {} // it was not made, or is gone with the other end
}
