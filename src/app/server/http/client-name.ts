/** The client that limits count an address for: of IPv6 its /64, which one household has; IPv4-mapped ones are IPv4. */
export function clientName(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped) return mapped[1]
  if (!address.includes(':')) return address
  const [head, tail = ''] = address.split('::')
  const first = head.split(':').filter((group) => group !== '')
  const last = tail.split(':').filter((group) => group !== '')
  const zeros = address.includes('::') ? 8 - first.length - last.length : 0
  return [...first, ...new Array(Math.max(0, zeros)).fill('0'), ...last].slice(0, 4).join(':')
}
