import { expect, test } from 'vitest'
import { fleetLines } from '#app/cli/words/fleet-text.ts'
import { fleetFamilies } from '#app/server/crawl-metrics.ts'
import { batchOf } from '#crawl/leases/leases-contract.test-kit.ts'
import { MemoryLeases } from '#crawl/leases/memory-leases.test-kit.ts'
import { fleetStatus } from '#fetch/fleet/fleet-status.ts'
import { writeProgress } from '#library/control/progress-file.ts'
import { workerWith } from '#library/fleet/read-fleet-status.ts'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'

/** One worker has reported two of a batch's fetches and has the next batch of its domain; another was lost with one that it was let send. */
async function aFleet() {
  let now = 1000
  const leases = new MemoryLeases(() => now)
  const ask = { most: 1, seconds: 30, fromRank: 0, openSeconds: 4 }
  await leases.setBudget(100)
  await leases.publish({ epoch: 0, batches: [batchOf('gone.test', 2), batchOf('here.test')] })
  await leases.lease({ ...ask, worker: 'gone', turn: 0 })
  const [{ epoch, rank, token }] = await leases.lease({ ...ask, worker: 'here', turn: 0 })
  await leases.publish({ epoch: 1, batches: [batchOf('here.test', 9)] })
  now += 28
  await leases.report({
    ...{ worker: 'here', seconds: 30, segment: 'here-1', turn: 1 },
    leases: [{ epoch, rank, token, done: [0, 1], open: 1 }],
    wants: { ...ask, newerThan: 0, ahead: new Map([['here.test', 2]]) },
  })
  now += 4
  await leases.expire()
  return await fleetStatus(leases, 3)
}

test('people are told of workers, leases, lag, and what is done, promised and lost', async () => {
  expect(fleetLines(await aFleet()).join('\n')).toMatch(
    /1 worker, 2 leases, the next ends in 26 s, 3 segments to be read\nof 100 fetches 2 are done, 11 promised, 2 paid for and lost/,
  )
})

test('so are those who watch metrics', async () => {
  const samples = fleetFamilies(await aFleet()).flatMap(({ name, samples }) =>
    samples.map(({ labels = {}, value }) => [
      [name.slice('forager_fleet_'.length), ...Object.values(labels)].join(' '),
      value,
    ]),
  )
  expect(Object.fromEntries(samples)).toEqual({
    ...{ 'workers here': 1, 'workers lost': 1, leases: 2, lease_seconds: 26, silent_seconds: 4 },
    ...{ segment_lag: 3, escrow_fetches: 11, lost_fetches: 2 },
  })
})

test('who asks why a page is not fetched is told who has its domain', async () => {
  const dir = temporaryFolder()
  const fleet = await aFleet()
  const rest = { policy: 'bfs', spent: 2, known: 9, fetchesPerSecond: 1, at: 1000 }
  writeProgress(dir, { pid: process.pid, doing: 'crawling', ...rest, fleet })
  expect(workerWith(dir, 'https://www.here.test/3')).toBe('here')
  expect(workerWith(dir, 'https://gone.test/3')).toBeUndefined()
})
