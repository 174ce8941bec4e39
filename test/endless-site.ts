import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A site without end on several hosts: page n links to three others. Tells of every page asked for;
 * `ballast` gives each some more bytes that are no text.
 */
export async function startEndlessSite(onPage: (url: string) => void, ballast = () => '') {
  const server = createServer((request, response) => {
    const url = `http://${request.headers.host}${request.url}`
    if (request.url === '/robots.txt') {
      response.writeHead(404).end()
      return
    }
    onPage(url)
    const n = Number(request.url?.slice(1) || 0)
    const links = [1, 2, 3].map(
      (i) => `<a href="http://h${(n * 3 + i) % 7}.test/${n * 3 + i}">page ${n * 3 + i}</a>`,
    )
    response.writeHead(200, { 'content-type': 'text/html' })
    const words = Array.from({ length: 200 }, (_, i) => `word${(n * 7919 + i * i * 31) % 5003}`)
    response.end(
      `<title>Page ${n}</title><p>${words.join(' ')}</p>${links.join(' ')}<!--${ballast()}-->`,
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    resolve: `*=127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
