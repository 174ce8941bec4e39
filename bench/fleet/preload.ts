/** Loaded before a program of the fleet: names of the farm are found without DNS, the farm sees who asks, and its clock may be wrong. */
import dns from 'node:dns'
import dnsPromises from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import { addressOf, LOOPBACK } from './farm-names.ts'

const found = (name: string) => addressOf(name)
const lookup = dns.lookup as unknown as (...args: unknown[]) => void
Object.assign(dns, {
  lookup: (name: string, ...args: unknown[]) => {
    const address = found(name)
    if (address === undefined) return lookup(name, ...args)
    const options = (args.length > 1 ? args[0] : {}) as { all?: boolean }
    const done = args.at(-1) as (error: null, address: unknown, family?: number) => void
    if (options.all) process.nextTick(done, null, [{ address, family: 4 }])
    else process.nextTick(done, null, address, 4)
  },
})
const lookupLater = dnsPromises.lookup as unknown as (...args: unknown[]) => Promise<unknown>
Object.assign(dnsPromises, {
  lookup: async (name: string, options: { all?: boolean } = {}) => {
    const address = found(name)
    if (address === undefined) return lookupLater(name, options)
    return options.all ? [{ address, family: 4 }] : { address, family: 4 }
  },
})
syncBuiltinESMExports()

const own = process.env.FLEET_ADDRESS
if (own) {
  const connect = net.Socket.prototype.connect as (...args: unknown[]) => net.Socket
  net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
    // Called with what net.connect has made of its arguments, or by others with their own.
    const [options] = (Array.isArray(args[0]) ? args[0] : args) as {
      localAddress?: string
      host?: string
      path?: string
    }[]
    if (addressOf(options.host ?? '') !== undefined || options.host?.startsWith(LOOPBACK))
      options.localAddress = own
    return connect.apply(this, args)
  } as typeof net.Socket.prototype.connect
}

const shiftMs = 1000 * Number(process.env.FLEET_CLOCK_SHIFT ?? 0)
if (shiftMs !== 0) {
  const now = Date.now
  Date.now = () => now() + shiftMs
}
