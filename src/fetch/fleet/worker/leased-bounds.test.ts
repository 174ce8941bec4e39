import { expect, test } from 'vitest'
import { leasedBounds } from './leased-bounds.ts'

test('a place is left a moment after its last use, unless it is needed', () => {
  let seconds = 0
  const { addresses } = leasedBounds(
    () => true,
    () => seconds,
  )
  addresses.arrive(['192.0.2.1', '192.0.2.2', '192.0.2.3'])
  for (const address of addresses.at) expect(addresses.take(address, (most) => most)).toBe(true)
  addresses.give('192.0.2.1')
  addresses.give('192.0.2.2')
  seconds = 1
  addresses.leaveUnused((address) => address === '192.0.2.2', false)
  expect(addresses.at).toEqual(['192.0.2.2', '192.0.2.3'])
})
