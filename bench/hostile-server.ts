import type { AddressInfo } from 'node:net'
import { hostileServer } from '#fetch/hostile-web.test-kit.ts'

/** The hostile hosts, in a process of their own; tells its parent the port, and ends with it. */
const server = hostileServer().listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port)
})
process.on('disconnect', () => process.exit())
