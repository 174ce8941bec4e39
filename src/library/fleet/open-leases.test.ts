import { expect, test } from 'vitest'
import { whenThere } from './open-leases.ts'

/** Fails so often with that error before it is done. */
function failing(times: number, error: Error) {
  let left = times
  return async () => {
    if (left-- > 0) throw error
    return 'done'
  }
}

const lost = () => new Error('Connection terminated unexpectedly')

test('what a database that restarts breaks off is done again, and told of', async () => {
  const told: string[] = []
  const waiting = {
    signal: new AbortController().signal,
    retryMs: 1,
    onAway: ({ message }: Error) => void told.push(message),
  }
  expect(await whenThere(failing(2, lost()), waiting)).toBe('done')
  const refused = new Error('not let in', { cause: Object.assign(new Error(), { code: '57P03' }) })
  expect(await whenThere(failing(1, refused), waiting)).toBe('done')
  expect(told).toEqual([lost().message, lost().message, ''])
})

test('other errors are not waited out, and nobody waits for ever', async () => {
  const waiting = { signal: AbortSignal.abort(), retryMs: 1, onAway: () => {} }
  await expect(whenThere(failing(1, lost()), waiting)).rejects.toThrow('terminated')
  const open = { ...waiting, signal: new AbortController().signal }
  await expect(whenThere(failing(1, new Error('no such table')), open)).rejects.toThrow('table')
})
