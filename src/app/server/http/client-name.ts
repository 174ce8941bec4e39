/** Who an address counts as: one household has a whole /64 of IPv6; an IPv4 address is one however it is written. */
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
