import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cannotListen } from './cannot-listen.ts'
import { CLIENT_TIMEOUTS, limitConnections } from './limit-connections.ts'
import { type MetricFamily, PROMETHEUS_TYPE, prometheusText } from './prometheus-text.ts'
import { goesBy } from './server-name.ts'

export interface MetricsServerOptions {
  /** 0 takes a free one. */
  readonly port: number
  readonly host: string
  readonly metrics: () => readonly MetricFamily[]
  readonly health: () => object
}

export interface MetricsServer {
  readonly port: number
  close(): void
}

/** Serves GET /metrics and GET /health, and nothing else. It changes nothing, so it asks for no password. */
export async function startMetricsServer(options: MetricsServerOptions): Promise<MetricsServer> {
  const { port, host, metrics, health } = options
  const pages: Readonly<Record<string, () => [type: string, body: string]>> = {
    '/metrics': () => [PROMETHEUS_TYPE, prometheusText(metrics())],
    '/health': () => ['application/json', `${JSON.stringify(health())}\n`],
  }
  const server = createServer(CLIENT_TIMEOUTS, (request, response) => {
    if (!goesBy(host, request.headers.host))
      return void response.writeHead(421).end('use localhost or 127.0.0.1\n')
    const path = request.url?.split('?', 1)[0] ?? ''
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined
    if (!page) return void response.writeHead(404).end('try /metrics or /health\n')
    if (request.method !== 'GET') return void response.writeHead(405, { allow: 'GET' }).end()
    const [type, body] = page()
    response.writeHead(200, { 'content-type': type }).end(body)
  })
  limitConnections(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(cannotListen(`--metrics-port ${port} on --metrics-host ${host}`, cause)),
    )
    server.listen(port, host, resolve)
  })
  server.unref()
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
