import type { MessagePort } from 'node:worker_threads'
import { ByteLedger } from '../bounds/byte-ledger.ts'
import { Deadline } from '../client/deadline.ts'
import { WebClient } from '../client/web-client.ts'
import type { SenderOptions } from '../fetcher-options.ts'
import { browserRenderer } from '../render/browser-renderer.ts'
import { serveRendering } from '../render/render-port.ts'
import type { BrowserOptions } from '../render/renderer.ts'
import { Subresources } from '../render/subresources.ts'
import { RobotsCache } from '../robots/robots-cache.ts'
import { type OptionFunctions, sharedSeconds } from './messages.ts'

/** What the thread is started with. */
export interface RenderThreadData {
  readonly options: Omit<SenderOptions, OptionFunctions>
  readonly browser: BrowserOptions
  /** Where the browser keeps what it needs while it runs. */
  readonly folder: string
  readonly clockZero: number
}

/** What it is told: another worker, or that it is over. */
export type RenderThreadOrder =
  | { readonly kind: 'serve'; readonly port: MessagePort }
  | { readonly kind: 'close' }

/** What it tells: the browser's process. */
export interface RenderThreadNews {
  readonly pid: number
}

/** Renders for all workers of a crawl. Requests of pages go by the crawl's own client, without what own sites are told. */
export function serveRenderThread(port: MessagePort, data: RenderThreadData): void {
  const { browser, folder, clockZero } = data
  process.env.TMPDIR = folder
  const { sites: _, ...options } = data.options
  const now = () => clockZero + sharedSeconds()
  const deadline = new Deadline(now)
  // Bytes are counted by the workers, which have reserved them for each page.
  const bounds = { ledger: new ByteLedger(), workers: 1 }
  const client = new WebClient(
    { ...options, keepExchange: false, clock: { now } },
    bounds,
    deadline,
  )
  const robots = new RobotsCache({
    ...options,
    sitemaps: false,
    get: (url) => client.getRobots(url),
    now,
    records: options.robotsRecords,
  })
  const { agentToken } = options
  const subresources = new Subresources({ client, robots, agentToken })
  const renderer = browserRenderer(browser, subresources, (pid) =>
    port.postMessage({ pid } satisfies RenderThreadNews),
  )
  port.on('message', (order: RenderThreadOrder) => {
    if (order.kind === 'serve') return serveRendering(order.port, renderer.render)
    renderer.kill()
    void client.close()
    process.exit(0) // of this thread alone
  })
}
