import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { RoomThread } from './threaded-room.ts'

const BUSY_MS = 3_500
/** Reads a crawl of millions of URLs, as it were: it hears of nothing meanwhile. */
const BUSY = `
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
mkdtempSync(tmpdir() + '/copy-')
const end = Date.now() + ${BUSY_MS}
while (Date.now() < end);
`

test('who ends a room does not wait for a crawl that is being read, and nothing of it stays on disk', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'forager-thread-'))
  vi.stubEnv('TMPDIR', folder)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  })
  const program = new URL(`data:text/javascript,${encodeURIComponent(BUSY)}`)
  const site = { crawl: { dir: 'nowhere' } } as ConstructorParameters<typeof RoomThread>[1]
  const room = new RoomThread('busy', site, () => {}, program)
  const asked = room.ask({ path: '/control', query: new URLSearchParams(), headers: {} } as never)
  const begun = performance.now()
  expect(await room.close()).toBe(true)
  expect(performance.now() - begun).toBeLessThan(BUSY_MS - 500)
  expect(readdirSync(folder)).toEqual([])
  // Whoever still waits is told when the thread ends, if the program lives on.
  expect(await asked).toMatchObject({ status: 503 })
})
