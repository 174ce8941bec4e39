import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { systemLookup } from './system-lookup.ts'

test('the hosts file is asked too, and what nobody knows is an error with a code', async () => {
  const [known, unknown] = await Promise.allSettled([
    systemLookup('localhost'),
    systemLookup('no-such-host.invalid'),
  ])
  expect(known).toMatchObject({ value: expect.arrayContaining([expect.stringMatching(/127|::1/)]) })
  expect(unknown).toMatchObject({ reason: { code: expect.stringMatching(/^E/) } })
})

test('a process ends without waiting for look-ups that are under way', async () => {
  const place = new URL('./system-lookup.ts', import.meta.url).href
  // Of so many some are under way when the program has nothing else left to do.
  const program = `
    const { systemLookup } = await import(${JSON.stringify(place)})
    for (let i = 0; i < 500; i++) systemLookup('localhost').then(() => console.log('answered'))`
  const args = ['--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(stdout.match(/answered/g)?.length ?? 0).toBeLessThan(500)
})
