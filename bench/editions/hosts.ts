import { startReplayServer } from '#app/server/replay-server.ts'
import type { RecordedWeb } from '#archive/recorded-web.ts'

/**
 * Serves every host of a recorded web at a loopback address of its own, as on the web, and all others, which do not
 * answer for themselves, at another. Gives flags that lead there.
 */
export async function whileServingHosts<T>(
  web: RecordedWeb,
  work: (resolve: readonly string[]) => Promise<T>,
): Promise<T> {
  const { archive, snapshot: from } = web
  await using open = new AsyncDisposableStack()
  const flags: string[] = []
  for (const [i, name] of [...web.hosts(), '*'].entries()) {
    const host = `127.10.${i >> 7}.${(i & 127) + 1}`
    const server = await startReplayServer({ archive, host, port: 0, from, speed: 0 })
    open.defer(() => server.close())
    flags.push('--resolve', `${name}=${host}:${server.port}`)
  }
  return await work(flags)
}
