/**
 * Serves hosts of every kind, each at a loopback address of its own: forked with the numbers of hosts as JSON. Tells
 * its parent where they are, then of every request once it is answered; ends with it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Asked, type Place, steadyMs } from '../harness/served-crawl.ts'
import { HOST_KINDS, type HostKind, type Hosts, hostName, pageOf } from './hosts.ts'

const SLOW_MS = 3_000
/** Vast hosts take unequal times to answer, so that they are not all asked at the same moment. */
const VAST_MS_A_HOST = 4
const REST_EVERY = 4
const REST_SECONDS = 5

const hosts: Hosts = JSON.parse(process.argv[2])
const places: Place[] = []
for (const kind of HOST_KINDS)
  for (let host = 0; host < hosts[kind]; host++) places.push(await serve(kind, host))
process.send?.({ places })
process.on('disconnect', () => process.exit())

async function serve(kind: HostKind, host: number): Promise<Place> {
  const name = hostName(kind, host)
  let requests = 0
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const at = steadyMs()
    const path = request.url ?? '/'
    const status = statusOf(kind, host, path, requests++)
    const answer = () => {
      const retryAfterSeconds = status === 429 ? REST_SECONDS : undefined
      const asked: Asked = { host: name, path, at, endedAt: steadyMs(), status, retryAfterSeconds }
      process.send?.(asked)
      send(request, response, status, () => pageOf(kind, host, Number(path.slice(1)), hosts))
    }
    if (kind === 'slow') setTimeout(answer, SLOW_MS)
    else if (kind === 'vast') setTimeout(answer, VAST_MS_A_HOST * host)
    else answer()
  })
  const address = `127.9.${places.length >> 7}.${(places.length & 127) + 1}`
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  return [name, `${address}:${(server.address() as AddressInfo).port}`]
}

/** 0 hangs up. */
function statusOf(kind: HostKind, host: number, path: string, requests: number): number {
  if (!/^\/\d*$/.test(path)) return 404
  if (kind === 'failing' && path !== '/') return host % 2 === 0 ? 500 : 0
  if (kind === 'resting' && requests % REST_EVERY === REST_EVERY - 1) return 429
  return 200
}

function send(
  { socket }: IncomingMessage,
  response: ServerResponse,
  status: number,
  page: () => string,
): void {
  if (status === 0) socket.resetAndDestroy()
  else if (status === 200)
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page())
  else if (status === 429) response.writeHead(429, { 'retry-after': String(REST_SECONDS) }).end()
  else response.writeHead(status).end()
}
