import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const PARTS = new URL('./undici.ts', import.meta.url).href
const PROGRAM = `
import { createRequire } from 'node:module'
const { Pool, Client, buildConnector } = await import(${JSON.stringify(PARTS)})
const load = createRequire(${JSON.stringify(PARTS)})
const loaded = Object.keys(load.cache).length
const whole = load('undici')
const isSame = Pool === whole.Pool && Client === whole.Client && buildConnector === whole.buildConnector
console.log(JSON.stringify({ isSame, share: loaded / Object.keys(load.cache).length }))
`

test('what is loaded of undici are its own parts, and a small share of it', () => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', PROGRAM],
    { encoding: 'utf8' },
  )
  expect(stderr).toBe('')
  const { isSame, share } = JSON.parse(stdout)
  expect(isSame).toBe(true)
  expect(share).toBeLessThan(0.4)
})
