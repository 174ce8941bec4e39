/**
 * Fetches so many pages of a served web with Crawlee: `node crawlee-order.mjs SEEDS PORT BUDGET [DIR]`, seeds as JSON. With DIR in the order of
 * Forager's crawl there, by the bridge; else in Crawlee's own. Prints the addresses it had pages of.
 */
import http from 'node:http'
import net from 'node:net'
import { CheerioCrawler, Configuration, log, Request } from '@crawlee/cheerio'
import { crawleeBridge } from '../../src/crawlee.ts'

const [seeds, port, budget, dir] = process.argv.slice(2)

// All hosts are at one port of this machine.
http.Agent.prototype.createConnection = (options, callback) =>
  net.createConnection({ ...options, host: '127.0.0.1', port: Number(port) }, callback)
log.setLevel(log.LEVELS.OFF)

const pages = new Set()
let fetches = 0
const handle = async ({ request, response, enqueueLinks }) => {
  if (++fetches >= Number(budget)) crawler.autoscaledPool?.abort()
  if (response.statusCode === 200) pages.add(request.loadedUrl)
  await enqueueLinks({ strategy: 'all' })
}
const bridge =
  dir === undefined
    ? undefined
    : await crawleeBridge({ Request, dir, seeds: JSON.parse(seeds), budget: Number(budget) })
const crawler = new CheerioCrawler(
  {
    minConcurrency: 4,
    maxConcurrency: 8,
    maxRequestRetries: 0,
    autoscaledPoolOptions: { maybeRunIntervalSecs: 0.05 },
    requestHandler: bridge ? bridge.handler(handle) : handle,
    failedRequestHandler: () => {
      if (++fetches >= Number(budget)) crawler.autoscaledPool?.abort()
    },
    ...(bridge && { requestQueue: bridge.requestManager }),
  },
  new Configuration({ persistStorage: false }),
)
await crawler.run(bridge ? undefined : JSON.parse(seeds))
await bridge?.[Symbol.asyncDispose]()
console.log(JSON.stringify({ fetches, pages: [...pages] }))
process.exit(0)
