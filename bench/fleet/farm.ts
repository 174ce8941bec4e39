/** A web of many hosts on some addresses; every request goes into a log: when, to whom, and what was said. */
import { createWriteStream } from 'node:fs'
import { createServer } from 'node:http'
import { FARM, hostName, isBusyHost } from './farm-names.ts'

const [logFile, seed = '1'] = process.argv.slice(2)
const log = createWriteStream(logFile)
const asked = new Map<string, number>()
const WORDS = 'river stone cloud engine garden letter market winter bridge candle'.split(' ')

const server = createServer((request, response) => {
  const start = Date.now()
  if (asked.size === 0) process.send!({ isAsked: true })
  const name = request.headers.host!.split(':')[0]
  const host = Number(name.slice(1).split('.')[0])
  const path = request.url!
  // Asked now: of a socket whose client was killed nobody can say any more where it was.
  const { localAddress: address, remoteAddress: by } = request.socket
  const count = (asked.get(name) ?? 0) + 1
  asked.set(name, count)
  const isBusy = isBusyHost(host) && path !== '/robots.txt' && count % 7 === 5
  // Said when the answer is handed over: on a busy machine the server hears late that it has gone.
  let end: number | undefined
  setTimeout(() => {
    end = Date.now()
    if (isBusy) {
      response.statusCode = 429
      response.setHeader('retry-after', FARM.retryAfterSeconds)
      response.end()
    } else if (path === '/robots.txt') response.end('User-agent: *\nDisallow: /private/\n')
    else answer(host, path)
  }, FARM.latencyMs)
  response.on('close', () => {
    const line = {
      start,
      end: end ?? Date.now(),
      host: name,
      address,
      by,
      path,
      status: response.statusCode,
      isWhole: response.writableFinished,
    }
    log.write(`${JSON.stringify(line)}\n`)
  })

  function answer(host: number, path: string): void {
    const page = path === '/' ? 0 : Number(/^\/p(\d+)$/.exec(path)?.[1] ?? -1)
    response.setHeader('content-type', 'text/html')
    if (page < 0 || page >= FARM.pages) {
      response.statusCode = 404
      response.end('<html>not there</html>')
    } else response.end(pageText(host, page))
  }
})

function pageText(host: number, page: number): string {
  const port = (server.address() as { port: number }).port
  const links = [1, 2, 3, 4]
    .map((k) => 4 * page + k)
    .filter((other) => other < FARM.pages)
    .map((other) => `<a href="/p${other}">${WORDS[other % 10]} ${other}</a>`)
  const others = page === 0 ? [1, 20].map((k) => (host + k) % FARM.hosts) : []
  const elsewhere = others.map(
    (other) => `<a href="http://${hostName(other)}:${port}/">${other}</a>`,
  )
  const words = Array.from(
    { length: 600 },
    (_, i) => WORDS[(i * (page + 3) + host + Number(seed)) % 10],
  )
  return `<html><title>${WORDS[page % 10]} ${page} of ${host}</title><body><p>${words.join(' ')} ${host}-${page}</p>
${[...links, ...elsewhere].join('\n')} <a href="/private/${page}">private</a></body></html>`
}

server.keepAliveTimeout = 10_000
server.listen(0, '0.0.0.0', () => {
  process.send!({ port: (server.address() as { port: number }).port })
})
process.on('disconnect', () => log.end(() => process.exit(0)))
process.on('SIGTERM', () => log.end(() => process.exit(0)))
