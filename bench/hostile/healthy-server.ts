import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Hosts that behave, in a process of their own: each at a loopback address of its own, with a home page that links
 * to all others. Tells its parent where each is, then of every page asked for; ends with it.
 */
const [hosts, pages] = process.argv.slice(2).map(Number)
const places: [name: string, place: string][] = []
for (let host = 0; host < hosts; host++) {
  const server = createServer(({ url = '/' }, response) => {
    const page = Number(url.slice(1))
    if (!Number.isInteger(page) || page >= pages) {
      response.writeHead(404).end()
      return
    }
    process.send?.({ host, page, at: performance.now() })
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html(host, page))
  })
  const address = `127.1.0.${host + 1}`
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  const { port } = server.address() as AddressInfo
  places.push([`www.healthy-${host}.test`, `${address}:${port}`])
}
process.send?.({ places })
process.on('disconnect', () => process.exit())

function html(host: number, page: number): string {
  const links = Array.from({ length: pages }, (_, to) => `<a href="/${to}">page ${to}</a>`)
  const words = Array.from(
    { length: 1_500 },
    (_, i) => `w${(host * 7919 + page * 104_729 + i * i * 31) % 50_021}`,
  )
  const nav = page === 0 ? links.join(' ') : links[0]
  return `<!doctype html><title>Page ${page} of host ${host}</title>${nav}<p>${words.join(' ')}`
}
