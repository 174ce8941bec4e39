/**
 * Serves a written site on a free port: PAGES HOSTS BYTES [LATENCY_MS]. A parent that forked it is told the port, and it
 * ends with it; started by hand it prints the port. A process of its own, so that its work is nobody else's.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostOfPage, pathOfPage, SiteWriter } from './written-site.ts'

const [pages, hosts, pageBytes, latencyMs = 0] = process.argv.slice(2).map(Number)
const site = { pages, hosts, pageBytes }
const writer = new SiteWriter(site)
const bodies = new Map<string, Buffer>()
let bytes = 0
for (let page = 0; page < pages; page++) {
  const body = Buffer.from(writer.page(page))
  bodies.set(hostOfPage(site, page) + pathOfPage(page), body)
  bytes += body.length
}
const robots = Buffer.from(
  'User-agent: *\nDisallow: /private/\nDisallow: /*?print=\nAllow: /private/open.html\n',
)

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  // Programs that reach it as a proxy name the whole address.
  const path = request.url?.replace(/^http:\/\/[^/]+|\?.*/g, '') ?? '/'
  const page = bodies.get(request.headers.host + path)
  const body = page ?? (path === '/robots.txt' ? robots : undefined)
  if (!body) {
    response
      .writeHead(404, { 'content-type': 'text/plain', 'content-length': 10 })
      .end('not found\n')
    return
  }
  response.writeHead(200, {
    'content-type': page ? 'text/html; charset=utf-8' : 'text/plain',
    'content-length': body.length,
    'cache-control': 'max-age=300',
    'last-modified': 'Sun, 01 Nov 2026 12:00:00 GMT',
    etag: `"${body.length}-${path.length}"`,
  })
  if (latencyMs > 0) setTimeout(() => response.end(body), latencyMs)
  else response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  if (process.send) process.send({ port, meanBytes: Math.round(bytes / pages) })
  else console.log(port)
})
process.on('disconnect', () => process.exit(0))
