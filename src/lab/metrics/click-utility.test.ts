import { expect, test } from 'vitest'
import { clickUtility } from './click-utility.ts'

test('only clicks on pages held count', () => {
  const clicks = [
    { url: 'a', clicks: 3 },
    { url: 'b', clicks: 0.5 },
    { url: 'c', clicks: 7 },
  ]
  expect(clickUtility(clicks, (url) => url !== 'c')).toBe(3.5)
  expect(clickUtility([], () => true)).toBe(0)
})
