import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { UsageError } from '../../text/usage-error.ts'
import { CLIENT_LIMITS, type ConnectionLimits, limitConnections } from './limit-connections.ts'

// Imported, the module would load a client of HTTP too, which takes 30 ms.
const { createServer } = process.getBuiltinModule('node:http')

export interface ListenOptions {
  /** 0 takes a free one. */
  readonly port: number
  readonly host: string
  /** The flags that chose port and host, for the message if nobody can listen there. */
  readonly flags: string
  readonly connections?: ConnectionLimits
  readonly keepAliveMs?: number
}

export interface Listening {
  readonly port: number
  /** Ends all connections, idle or not. */
  close(): Promise<void>
  /** Lets the process end while this still listens. */
  unref(): void
}

/** What every server of ours stands on: a socket, timeouts, and limits that slow clients cannot use up. */
export async function listen(
  onRequest: RequestListener,
  { port, host, flags, connections, keepAliveMs }: ListenOptions,
): Promise<Listening> {
  const server = createServer(CLIENT_LIMITS, onRequest)
  if (keepAliveMs !== undefined) server.keepAliveTimeout = keepAliveMs
  limitConnections(server, connections)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(cannotListen(flags, cause)))
    server.listen(port, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
    unref: () => server.unref(),
  }
}

function cannotListen(flags: string, cause: NodeJS.ErrnoException): UsageError {
  const isHost = cause.code === 'EADDRNOTAVAIL' || cause.code === 'ENOTFOUND'
  const advice = isHost
    ? 'name an address of this machine'
    : 'choose another port, or 0 for a free one'
  return new UsageError(`${flags} cannot be had (${cause.code}): ${advice}`, { cause })
}
