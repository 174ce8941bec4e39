import type { Listening, ListenOptions } from './http/listen.ts'
import { jsonAnswer, route } from './http/route.ts'
import { serveRoutes } from './http/serve-routes.ts'
import { type MetricFamily, PROMETHEUS_TYPE, prometheusText } from './prometheus-text.ts'

export type MetricsServer = Listening

interface MetricsServerOptions extends Pick<ListenOptions, 'port' | 'host'> {
  readonly metrics: () => readonly MetricFamily[]
  readonly health: () => object
}

/** Serves GET /metrics and GET /health, and nothing else. It changes nothing, so it asks for no password. */
export async function startMetricsServer(options: MetricsServerOptions): Promise<MetricsServer> {
  const { port, host, metrics, health } = options
  const metricsAnswer = () => ({
    status: 200,
    type: PROMETHEUS_TYPE,
    body: prometheusText(metrics()),
  })
  const routes = [
    route({ path: '/metrics', answer: metricsAnswer }),
    route({ path: '/health', answer: () => jsonAnswer(200, health()) }),
  ]
  const onError = (error: unknown) => {
    throw error
  }
  const flags = `--metrics-port ${port} on --metrics-host ${host}`
  const server = await serveRoutes({ port, host, flags, perSecond: 0, site: { routes, onError } })
  server.unref()
  return server
}
