import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A site without end on several hosts: page n links to three others. Tells of every page asked for. */
export async function startEndlessSite(onPage: (url: string) => void) {
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
    response.end(`<title>Page ${n}</title><p>${'words '.repeat(200)}</p>${links.join(' ')}`)
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
