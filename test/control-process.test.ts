import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { startForager } from './forager-process.ts'

/** A service with a control room, over a site of one page; and where the room is. */
async function startServiceWithRoom() {
  const folder = temporaryFolder()
  const site = createServer((_, response) =>
    response.end('<title>heron</title><p>All about herons.'),
  )
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const { port } = site.address() as AddressInfo
  const { child, ended } = startForager([
    ...['run', 'http://a.test/', '--dir', join(folder, 'data'), '--contact', 'us@example.org'],
    ...['--resolve', `*=127.0.0.1:${port}`, '--serve', '0', '--control', '--no-config'],
  ])
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
    site.close()
    site.closeAllConnections()
  })
  const url = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stderr!.on('data', (data) => {
      said += data
      const found = /control room: (\S+)/.exec(said)
      if (found) resolve(found[1])
    })
    void ended.then(({ stderr }) => reject(new Error(stderr)))
  })
  const status = () =>
    fetch(url).then(
      (answer) => answer.status,
      () => 0,
    )
  expect(await status()).toBe(200)
  return { child, ended, status }
}

test('a service that is told to stop ends well, and its control room with it', async () => {
  const { child, ended, status } = await startServiceWithRoom()
  child.kill('SIGTERM')
  const { code, stdout, stderr } = await ended
  expect(stdout).toMatch(/^stopped: /)
  expect(stderr).not.toMatch(/Warning/)
  expect([code, await status()]).toEqual([0, 0])
})

test('a service has its control room in a process of its own, which ends with it, also by a kill', async () => {
  const { child, status } = await startServiceWithRoom()
  child.kill('SIGKILL')
  await expect.poll(status, { timeout: 30_000 }).toBe(0)
})
