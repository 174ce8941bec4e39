import type { AddressInfo, Server } from 'node:net'
import { createServer } from 'node:net'
import { http2FloodServer } from '#fetch/http2-floods.test-kit.ts'
import { selfSigned } from '#fetch/self-signed.test-kit.ts'
import {
  answerAsHostileHost,
  type HostileHost,
  hostileAddress,
  hostileHosts,
  http2HostNames,
} from './hosts.ts'

/**
 * The hostile hosts, in a process of their own, each at a loopback address of its own. Tells its parent where each is,
 * and whose certificate to trust, and ends with it.
 */
const times = Number(process.argv[2])
const http2Names = http2HostNames(times)
const identity = times > 0 ? selfSigned(http2Names) : undefined
const places: [name: string, place: string][] = []
for (const [i, host] of hostileHosts(times).entries())
  places.push([`www.hostile-${i}.test`, await listen(serverOf(host))])
for (const name of http2Names)
  places.push([name, `https://${await listen(http2FloodServer(identity!))}`])
process.send?.({ places, cert: identity?.cert ?? '' })
process.on('disconnect', () => process.exit())

function serverOf(host: HostileHost): Server {
  return createServer((socket) => {
    let received = ''
    socket.on('error', () => {})
    socket.on('data', (data) => {
      received += data.toString('latin1')
      if (!received.includes('\r\n\r\n')) return
      answerAsHostileHost(host, socket, received)
      received = ''
    })
  })
}

async function listen(server: Server): Promise<string> {
  const address = hostileAddress(places.length)
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  return `${address}:${(server.address() as AddressInfo).port}`
}
