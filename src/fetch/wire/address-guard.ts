import { BlockList, isIP, isIPv6 } from 'node:net'

/** We do not connect there, and never will: nothing was sent. */
export class ForbiddenTarget extends Error {
  override readonly name = 'ForbiddenTarget'
  readonly code = 'FORBIDDEN_TARGET'
}

/** Ranges that are not the public web (most of IANA's special-purpose registries), and their names. */
const RANGES: readonly (readonly [what: string, ...ranges: string[]])[] = [
  ['loopback', '127.0.0.0/8', '::1/128'],
  ['link-local', '169.254.0.0/16', 'fe80::/10', 'fec0::/10'],
  ['private', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
  ['shared (CGNAT)', '100.64.0.0/10'],
  // Azure's own services for the machines in it; no web server is there, nor for anybody outside.
  ['cloud platform', '168.63.129.16/32'],
  ['multicast', '224.0.0.0/4', 'ff00::/8'],
  ['documentation', '192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24'],
  ['documentation', '2001:db8::/32', '3fff::/20'],
  ['unspecified', '0.0.0.0/8', '::/128'],
  ['reserved', '192.0.0.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24'],
  ['reserved', '192.175.48.0/24', '198.18.0.0/15', '240.0.0.0/4'],
  // Only 2000::/3 is given out for the public Internet; this covers ::/8, 100::/64, 5f00::/16 too.
  ['reserved', '::/3', '4000::/2', '8000::/1', '2001:2::/48', '2001:10::/28', '2001:20::/28'],
]

type Family = 'ipv4' | 'ipv6'

/** A list of one family only: a mixed one holds IPv4 addresses against its IPv6 ranges too. */
function blocksOf(family: Family) {
  return RANGES.map(([what, ...ranges]) => {
    const list = new BlockList()
    for (const range of ranges) {
      const [net, bits] = range.split('/') as [string, string]
      if (isIPv6(net) === (family === 'ipv6')) list.addSubnet(net, Number(bits), family)
    }
    return { what, list }
  })
}

const BLOCKS = { ipv4: blocksOf('ipv4'), ipv6: blocksOf('ipv6') }

/**
 * Why an address is not to be connected to, as 'private address 10.0.0.1'; nothing for the public
 * Internet's. An IPv6 address that carries an IPv4 one (mapped, NAT64, 6to4, Teredo …) leads to the
 * latter, and is judged by it.
 */
export function addressRefusal(address: string): string | undefined {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  const family = isIP(bare)
  if (family === 0) return `no address ${address}`
  if (family === 4) return refusalOf(bare, 'ipv4', address)
  const groups = groupsOf(bare)
  for (const embedded of embeddedIn(groups)) {
    const refusal = refusalOf(embedded, 'ipv4', address)
    if (refusal !== undefined) return refusal
  }
  return isTransitional(groups) ? undefined : refusalOf(bare, 'ipv6', address)
}

/** Those of a host's addresses that may be connected to; throws `ForbiddenTarget` if none may. */
export function publicAddresses(addresses: readonly string[]): readonly string[] {
  const refusals = addresses.map(addressRefusal)
  const allowed = addresses.filter((_, i) => refusals[i] === undefined)
  if (allowed.length === 0) throw new ForbiddenTarget(refusals[0] ?? 'no address')
  return allowed
}

function refusalOf(bare: string, family: Family, shown: string): string | undefined {
  const block = BLOCKS[family].find(({ list }) => list.check(bare, family))
  return block && `${block.what} address ${shown}`
}

/** The eight 16-bit groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  // The URL parser writes a dotted tail as groups, and knows every way to shorten.
  const [head, tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::')
  const numbers = (part = '') => (part === '' ? [] : part.split(':').map((g) => parseInt(g, 16)))
  const before = numbers(head)
  const after = numbers(tail)
  return [...before, ...Array(8 - before.length - after.length).fill(0), ...after]
}

const isMapped = (g: readonly number[]) => startsWith(g, 0, 0, 0, 0, 0, 0xffff)
const isTranslated = (g: readonly number[]) => startsWith(g, 0, 0, 0, 0, 0xffff, 0)
const isNat64 = (g: readonly number[]) => startsWith(g, 0x64, 0xff9b, 0, 0, 0, 0)
const isCompatible = (g: readonly number[]) => startsWith(g, 0, 0, 0, 0, 0, 0) && g[6]! > 0
const isIsatap = (g: readonly number[]) => (g[4]! & 0xfdff) === 0 && g[5] === 0x5efe
const is6to4 = (g: readonly number[]) => g[0] === 0x2002
const isTeredo = (g: readonly number[]) => g[0] === 0x2001 && g[1] === 0

/** Public if what they carry is: the rest of their own range is not judged again. */
function isTransitional(g: readonly number[]): boolean {
  return isMapped(g) || isNat64(g)
}

/** The IPv4 addresses that an IPv6 address may lead to. */
function embeddedIn(g: readonly number[]): string[] {
  if (isMapped(g) || isTranslated(g) || isNat64(g) || isCompatible(g) || isIsatap(g))
    return [dotted(g[6]!, g[7]!)]
  if (is6to4(g)) return [dotted(g[1]!, g[2]!)]
  // Teredo: its server, and the client's address with every bit turned.
  if (isTeredo(g)) return [dotted(g[2]!, g[3]!), dotted(~g[6]! & 0xffff, ~g[7]! & 0xffff)]
  return []
}

function startsWith(groups: readonly number[], ...prefix: number[]): boolean {
  return prefix.every((group, i) => groups[i] === group)
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** Ports of other protocols, which an HTTP request could be made to speak (WHATWG Fetch, "bad port"). */
const BAD_PORTS: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
])

/** Why a URL is not to be fetched wherever its name leads: its scheme or its port. */
export function urlRefusal(url: URL): string | undefined {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return `scheme ${url.protocol}`
  // The default ports are written as none.
  return url.port !== '' && BAD_PORTS.has(Number(url.port)) ? `port ${url.port}` : undefined
}
