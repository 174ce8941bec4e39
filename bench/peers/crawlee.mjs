/**
 * Crawls the benchmark's site with Crawlee's CheerioCrawler: `node crawlee.mjs SEED PORT`.
 *
 * Set up for speed: nothing is written to disk (Crawlee's default writes its queue), no session pool,
 * no robots.txt, and it begins at 32 pages at a time instead of feeling its way up from one. Of each
 * page it takes the title, the text and the links, as Forager does, and queues the links to all hosts.
 * It ends when no page is left: its own limit of pages makes it wait a second after each page.
 */
import http from 'node:http'
import net from 'node:net'
import { CheerioCrawler, Configuration, log } from '@crawlee/cheerio'

const [seed, port] = process.argv.slice(2)

// All hosts are at one port of this machine: what `--resolve '*=127.0.0.1:PORT'` is to Forager.
http.Agent.prototype.createConnection = (options, callback) =>
  net.createConnection({ ...options, host: '127.0.0.1', port: Number(port) }, callback)

log.setLevel(log.LEVELS.ERROR)
let crawled = 0
let links = 0
let characters = 0
const crawler = new CheerioCrawler(
  {
    minConcurrency: 32,
    maxConcurrency: 64,
    autoscaledPoolOptions: { desiredConcurrency: 32 },
    useSessionPool: false,
    requestHandler: async ({ $, enqueueLinks }) => {
      crawled++
      characters += $('title').text().length + $('body').text().length
      const { processedRequests } = await enqueueLinks({ strategy: 'all' })
      links += processedRequests.length
    },
  },
  new Configuration({ persistStorage: false }),
)
await crawler.run([seed])
console.log(JSON.stringify({ pages: crawled, links, characters }))
