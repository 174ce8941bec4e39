import { expect, test } from 'vitest'
import { boardPlaces } from './board-place.ts'

test('each host has a row of its own, and a URL waits for those before it there alone', () => {
  const urls = ['https://a.org/1', 'https://b.org/1', 'https://a.org/2', 'https://a.org/3']
  const paceOf = (url: string) => (url.includes('a.org') ? 5 : 1)
  expect(boardPlaces(urls, paceOf)).toEqual([
    { host: 'a.org', place: 1, inSeconds: 0 },
    { host: 'b.org', place: 1, inSeconds: 0 },
    { host: 'a.org', place: 2, inSeconds: 5 },
    { host: 'a.org', place: 3, inSeconds: 10 },
  ])
})
