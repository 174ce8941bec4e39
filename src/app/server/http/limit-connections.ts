import type { Server, ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { clientName } from './client-name.ts'

export interface ConnectionLimits {
  readonly total: number
  /** Of one address; of IPv6 a /64. */
  readonly perClient: number
}

const LIMITS: ConnectionLimits = { total: 256, perClient: 64 }
/** How long a client may take to ask, and to read its answer. */
export const REQUEST_MS = 10_000
const KEEP_ALIVE_MS = 5_000
/** How often timeouts are checked; Node's default of 30 s would let slow requests linger. */
const CHECK_MS = 2_000
const MAX_HEADER_BYTES = 16_384

/** What a server is created with: how long requests may take, and how large headers may be. */
export const CLIENT_LIMITS: ServerOptions = {
  maxHeaderSize: MAX_HEADER_BYTES,
  headersTimeout: REQUEST_MS,
  requestTimeout: REQUEST_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  connectionsCheckingInterval: CHECK_MS,
}

/**
 * Keeps a server's connections within limits. One too many evicts the connection that has been idle for longest, of the
 * client who has most. So a newcomer always gets in, and slow clients keep nobody out.
 */
export function limitConnections(server: Server, limits = LIMITS): void {
  const clients = new Map<string, Set<Socket>>()
  let open = 0
  // A client that reads nothing of its answer for so long is gone.
  server.timeout = REQUEST_MS

  const leave = (name: string, socket: Socket) => {
    const sockets = clients.get(name)
    if (!sockets?.delete(socket)) return
    open--
    if (sockets.size === 0) clients.delete(name)
  }
  const dropOldest = (name: string) => {
    const oldest = clients.get(name)!.values().next().value!
    leave(name, oldest)
    oldest.destroy()
  }

  server.on('connection', (socket) => {
    const name = clientName(socket.remoteAddress ?? '')
    const sockets = clients.get(name) ?? new Set()
    clients.set(name, sockets.add(socket))
    open++
    socket.once('close', () => leave(name, socket))
    if (sockets.size > limits.perClient) dropOldest(name)
    else if (open > limits.total) dropOldest(nameOfMost(clients))
  })

  // Sets keep their order of insertion: who has just asked is the last to be evicted.
  server.on('request', ({ socket }) => {
    const sockets = clients.get(clientName(socket.remoteAddress ?? ''))
    if (sockets?.delete(socket)) sockets.add(socket)
  })
}

/** Whoever has most connections; of several the one who came first. */
function nameOfMost(clients: ReadonlyMap<string, ReadonlySet<Socket>>): string {
  const [name] = [...clients].reduce((most, client) =>
    client[1].size > most[1].size ? client : most,
  )
  return name
}
