import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { BenchSite } from './written-site.ts'

const SERVER = join(import.meta.dirname, 'written-site-server.ts')

/** Where a site is served on this machine, and how long its pages are. */
interface ServedSite {
  readonly port: number
  readonly meanBytes: number
}

/** Works with a site that a process of its own serves, each answer so many milliseconds late. */
export async function whileServed<T>(
  { pages, hosts, pageBytes }: BenchSite,
  latencyMs: number,
  work: (served: ServedSite) => Promise<T>,
): Promise<T> {
  const server = fork(SERVER, [pages, hosts, pageBytes, latencyMs].map(String))
  const [served] = await once(server, 'message')
  try {
    return await work(served)
  } finally {
    server.kill()
  }
}
