import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AddressPlaces } from './address-places.ts'

const two = (domains: number) => Math.max(1, Math.ceil(domains / 2))

/** By address and worker: requests under way and domains. */
type Twin = Map<string, { active: number[]; domains: number[]; waiting: Set<number> }>

test.each([
  ['in memory of its own', 1],
  ['in memory that three workers share', 3],
])('counts as a plain map does, %s', (_, workers) => {
  const step = fc.record({
    worker: fc.nat(workers - 1),
    address: fc.nat(400).map((n) => `192.0.2.${n % 40 < 30 ? n % 7 : n}`),
    act: fc.constantFrom(
      'take',
      'take',
      'give',
      'moveIn',
      'moveIn',
      'moveOut',
      'wait',
      'waitNoMore',
    ),
  })
  fc.assert(
    fc.property(fc.array(step, { minLength: 50, maxLength: 400 }), (steps) => {
      const memory = workers > 1 ? AddressPlaces.memory(workers) : undefined
      const tables = Array.from(
        { length: workers },
        (_, own) => new AddressPlaces(workers, own, memory),
      )
      const twin: Twin = new Map()
      const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0)
      for (const { worker, address, act } of steps) {
        const table = tables[worker]
        const row = twin.get(address) ?? {
          active: Array(workers).fill(0),
          domains: Array(workers).fill(0),
          waiting: new Set(),
        }
        twin.set(address, row)
        const isFull = sum(row.active) >= two(sum(row.domains))
        expect(table.isFull(address, two)).toBe(isFull)
        if (act === 'take') {
          expect(table.take(address, two)).toBe(!isFull)
          if (!isFull) row.active[worker]++
        } else if (act === 'give' && row.active[worker] > 0) {
          table.give(address)
          row.active[worker]--
        } else if (act === 'moveIn') {
          table.moveIn(address)
          row.domains[worker]++
        } else if (act === 'moveOut' && row.domains[worker] > 0) {
          table.moveOut(address)
          row.domains[worker]--
        } else if (act === 'wait' || act === 'waitNoMore') {
          table.wait(address, act === 'wait')
          if (act === 'wait') row.waiting.add(worker)
          else row.waiting.delete(worker)
        }
        const others = Array.from({ length: workers - 1 }, (_, n) => (worker + 1 + n) % workers)
        expect(table.nextWaiting(address)).toBe(others.find((other) => row.waiting.has(other)))
      }
    }),
  )
})

test('a table of its own grows, and gives back what it no longer needs', () => {
  const table = new AddressPlaces()
  const addresses = Array.from({ length: 5_000 }, (_, n) => `198.51.${n >> 8}.${n & 255}`)
  for (const address of addresses) expect(table.take(address, two)).toBe(true)
  for (const address of addresses) expect(table.take(address, two)).toBe(false)
  for (const address of addresses) table.give(address)
  for (const address of addresses) expect(table.isFull(address, two)).toBe(false)
})

test('a worker that is no more holds no places', () => {
  const memory = AddressPlaces.memory(2)
  const [first, second] = [0, 1].map((own) => new AddressPlaces(2, own, memory))
  second.take('192.0.2.1', two)
  second.wait('192.0.2.1', true)
  expect([first.take('192.0.2.1', two), first.nextWaiting('192.0.2.1')]).toEqual([false, 1])
  first.forget(1)
  expect([first.take('192.0.2.1', two), first.nextWaiting('192.0.2.1')]).toEqual([true, undefined])
})

test('threads that take places at once never take more than there are', async () => {
  const workers = 3
  const memory = AddressPlaces.memory(workers)
  const watch = new Int32Array(new SharedArrayBuffer(8))
  const program = `
    const { parentPort, workerData } = require('node:worker_threads')
    const { own, workers, memory, watch, url } = workerData
    import(url).then(({ AddressPlaces }) => {
      const places = new AddressPlaces(workers, own, memory)
      for (let n = 0; n < 20000; n++) {
        const address = '192.0.2.' + (n % 3)
        if (!places.take('192.0.2.1', () => 1)) continue
        if (Atomics.add(watch, 0, 1) !== 0) Atomics.add(watch, 1, 1)
        places.moveIn(address)
        places.moveOut(address)
        Atomics.sub(watch, 0, 1)
        places.give('192.0.2.1')
      }
    })`
  const url = new URL('./address-places.ts', import.meta.url).href
  const threads = Array.from({ length: workers }, (_, own) => {
    const workerData = { own, workers, memory, watch, url }
    return new Worker(program, { eval: true, workerData })
  })
  await Promise.all(threads.map((thread) => once(thread, 'exit')))
  expect([...watch]).toEqual([0, 0])
  expect(new AddressPlaces(workers, 0, memory).take('192.0.2.1', () => 1)).toBe(true)
})
