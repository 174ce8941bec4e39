import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { answerAsHostileHost, hostileAddress, hostileHosts } from './hostile-hosts.ts'

/**
 * The hostile hosts, in a process of their own, each at a loopback address of its own. Tells its parent the port
 * of each, and ends with it.
 */
const hosts = hostileHosts(Number(process.argv[2]))
const ports: number[] = []
for (const [number, host] of hosts.entries()) {
  const server = createServer((socket) => {
    let received = ''
    socket.on('error', () => {})
    socket.on('data', (data) => {
      received += data.toString('latin1')
      if (!received.includes('\r\n\r\n')) return
      answerAsHostileHost(host, socket, received)
      received = ''
    })
  })
  await new Promise<void>((resolve) => server.listen(0, hostileAddress(number), resolve))
  ports.push((server.address() as AddressInfo).port)
}
process.send?.({ ports })
process.on('disconnect', () => process.exit())
