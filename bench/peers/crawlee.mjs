/**
 * Crawls the benchmark's site with Crawlee's CheerioCrawler: `node crawlee.mjs SEED PORT [STORAGE]`.
 *
 * With STORAGE, a folder, it runs as Crawlee comes: its request queue is kept there, sessions are on.
 * Without, it is set up for speed alone: nothing is written to disk, no sessions. Either way it asks
 * for no robots.txt and begins at 32 pages at a time instead of feeling its way up. Of each page it
 * takes the title, the text and the links, as Forager does, and queues the links to all hosts. It
 * ends when no page is left: its own limit of pages makes it wait a second after each page.
 */
import http from 'node:http'
import net from 'node:net'
import { CheerioCrawler, Configuration, log } from '@crawlee/cheerio'

const [seed, port, storage] = process.argv.slice(2)

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
    useSessionPool: storage !== undefined,
    requestHandler: async ({ $, enqueueLinks }) => {
      crawled++
      characters += $('title').text().length + $('body').text().length
      const { processedRequests } = await enqueueLinks({ strategy: 'all' })
      links += processedRequests.length
    },
  },
  storage === undefined
    ? new Configuration({ persistStorage: false })
    : new Configuration({ storageClientOptions: { localDataDirectory: storage } }),
)
await crawler.run([seed])
console.log(JSON.stringify({ pages: crawled, links, characters }))
