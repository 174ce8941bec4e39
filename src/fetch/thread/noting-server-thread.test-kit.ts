/** The program of `notingServer`: tells its port, and on any message what pages were asked for. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort } from 'node:worker_threads'

export interface NotedArrival {
  readonly url: string
  readonly atMs: number
}

const pages: NotedArrival[] = []
const server = createServer((request, response) => {
  const { url: path = '', headers } = request
  if (path === '/robots.txt') return void response.writeHead(404).end()
  pages.push({ url: `http://${headers.host}${path}`, atMs: performance.now() })
  response.writeHead(200, { 'content-type': 'text/html' }).end('<p>words')
})
server.listen(0, '127.0.0.1', () => parentPort!.postMessage((server.address() as AddressInfo).port))
parentPort!.on('message', () => parentPort!.postMessage(pages))
