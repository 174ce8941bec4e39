import fc from 'fast-check'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { aheadContract } from '#crawl/leases/ahead-contract.test-kit.ts'
import { EPOCHS_A_TABLE, type Leases } from '#crawl/leases/leases.ts'
import {
  batchOf,
  type LeasesToTry,
  leasesContract,
} from '#crawl/leases/leases-contract.test-kit.ts'
import { MemoryLeases } from '#crawl/leases/memory-leases.test-kit.ts'
import { placesContract } from '#crawl/leases/places-contract.test-kit.ts'
import { seededRandom } from '#numeric/random.ts'
import { startPostgres, type TestPostgres } from './postgres.test-kit.ts'
import { openPostgresLeases } from './postgres-leases.ts'

/** Run by `npm run test:postgres`, in CI too: a server takes longer to start than most tests. */
const isWanted = process.env.FORAGER_POSTGRES !== undefined

describe.runIf(isWanted)('leases in PostgreSQL', () => {
  let server: TestPostgres
  let admin: pg.Pool
  const opened = new Set<Leases>()
  let schemas = 0

  beforeAll(async () => {
    server = startPostgres()
    admin = new pg.Pool({ connectionString: server.url })
  })
  afterEach(closeAll)
  afterAll(async () => {
    await admin?.end()
    server?.stop()
  })

  async function open(schema: string): Promise<Leases> {
    const leases = await openPostgresLeases({ url: server.url, schema })
    opened.add(leases)
    return leases
  }

  /** A server has a hundred connections, and an idle one lasts ten seconds. */
  async function closeAll(): Promise<void> {
    for (const leases of opened) await leases.close()
    opened.clear()
  }

  async function begin(): Promise<LeasesToTry & { schema: string }> {
    const schema = `try_${schemas++}`
    const leases = await open(schema)
    await admin.query(`CREATE TABLE ${schema}.now AS SELECT 1000::double precision AS seconds`)
    await admin.query(
      `CREATE OR REPLACE FUNCTION ${schema}.clock() RETURNS double precision LANGUAGE sql AS 'SELECT seconds FROM ${schema}.now'`,
    )
    const pass = async (seconds: number) => {
      await admin.query(`UPDATE ${schema}.now SET seconds = seconds + $1`, [seconds])
    }
    return { leases, pass, schema }
  }

  leasesContract(begin)
  placesContract(begin)
  aheadContract(begin)

  it('does the same as leases in memory, whatever is asked of it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(stepArbitrary, { minLength: 10, maxLength: 60 }), async (steps) => {
        let now = 1000
        const memory = new MemoryLeases(() => now)
        const { leases, pass } = await begin()
        const both = async <T>(ask: (leases: Leases) => Promise<T>) => {
          const [expected, got] = await Promise.all(
            [memory, leases].map((each) => ask(each).catch(() => 'refused' as const)),
          )
          expect(got).toEqual(expected)
          return expected
        }
        await both((each) => each.setBudget(60))
        const held: { epoch: number; rank: number; token: number; opened: number }[] = []
        let epoch = 0
        let segments = 0
        for (const step of steps) {
          if (step.kind === 'pass') {
            now += step.seconds
            await pass(step.seconds)
          } else if (step.kind === 'publish') {
            const batches = step.batches.map(([domain, size, address]) =>
              batchOf(`${domain}.test`, size, address === 0 ? '' : `192.0.2.${address}`),
            )
            const places = new Map([['192.0.2.1', 2]])
            await both((each) => each.publish({ epoch, batches, places }))
            epoch++
          } else if (step.kind === 'withdraw') {
            await both((each) => each.withdraw(step.isForGood))
          } else if (step.kind === 'lease') {
            const ask = {
              worker: step.worker,
              most: step.most,
              seconds: 10,
              fromRank: step.fromRank,
              turn: step.turn,
              openSeconds: step.openSeconds,
              ahead: step.ahead,
            }
            const got = await both(async (each) => (await each.lease(ask)).map(plain))
            if (got !== 'refused') held.push(...got.map(({ ...lease }) => lease))
          } else if (held.length > 0) {
            const lease = held[step.lease % held.length]
            const { epoch, rank, token } = lease
            const name = { epoch, rank, token }
            if (step.kind === 'locate')
              await both((each) =>
                each.arrive({
                  worker: step.worker,
                  seconds: 10,
                  addresses: [`192.0.2.${step.address}`],
                  turn: step.turn,
                }),
              )
            else {
              const told = {
                ...{
                  ...name,
                  open: opens(step, lease.opened),
                  done: step.done.filter((at) => at < lease.opened),
                },
                free: step.done.filter((at) => at % 3 === 0),
                ...(step.end && { end: step.end, restSeconds: 3 }),
                ...(step.end === 'handed back' && { address: '192.0.2.2' }),
              }
              const said = {
                worker: step.worker,
                seconds: 10,
                leases: [told],
                turn: step.turn,
                at: step.at,
                held: step.isAll ? held.map((each) => each.token) : undefined,
                segment: `s${segments++}`,
                ...(step.wants && { wants: step.wants }),
              }
              const answers = await both(async (each) => {
                const answer = await each.report(said)
                return { ...answer, leases: answer.leases.map(plain) }
              })
              if (answers === 'refused') continue
              lease.opened += answers.answers[0].granted
              held.push(...answers.leases.map(({ ...got }) => got))
            }
          }
          await both((each) => each.ledger())
          await both(async (each) => (await each.open()).map(plain).toSorted(byDomain))
          await both((each) => each.look(Array.from({ length: epoch }, (_, i) => i)))
          await both((each) => each.workers())
          await both((each) => each.segments(0))
        }
        await closeAll()
      }),
      { numRuns: 40 },
    )
  })

  it('keeps the budget, domains and places while many workers lease, report and die at once', async () => {
    const { leases, pass, schema } = await begin()
    const BUDGET = 3000
    await leases.setBudget(BUDGET)
    const plan = (epoch: number, left: number) => ({
      epoch,
      places: new Map([['192.0.2.1', 3]]),
      batches: Array.from({ length: Math.floor(left / 10) }, (_, i) =>
        batchOf(`${i % 150}.test`, 10, i % 4 === 0 ? `192.0.2.${1 + (i % 3)}` : ''),
      ).filter(({ domain }, i, all) => all.findIndex((other) => other.domain === domain) === i),
    })
    await leases.publish(plan(0, BUDGET))
    let onTheWire = 0
    const random = seededRandom(7)
    const workers = await Promise.all(Array.from({ length: 6 }, () => open(schema)))
    await Promise.all(
      workers.map(async (mine, number) => {
        for (let round = 0; round < 40; round++) {
          const got = await mine.lease({
            worker: `w${number}`,
            most: 4,
            seconds: 10,
            fromRank: 0,
            turn: 3 * round,
          })
          const { answers: granted } = await mine.report({
            ...{
              worker: `w${number}`,
              seconds: 10,
              segment: `w${number}/${round}`,
              turn: 3 * round + 1,
            },
            leases: got.map(({ epoch, rank, token }) => ({
              epoch,
              rank,
              token,
              done: [],
              open: 6,
            })),
          })
          for (const answer of granted) onTheWire += answer.granted
          const dies = random.chance(0.3)
          if (dies) await pass(12)
          else
            await mine.report({
              ...{ worker: `w${number}`, seconds: 10, turn: 3 * round + 2, at: [] },
              leases: got.map(({ epoch, rank, token }, i) => ({
                ...{ epoch, rank, token, open: 0, end: 'ended' as const, restSeconds: 0 },
                done: Array.from({ length: granted[i].granted }, (_, at) => at),
              })),
            })
          if (number === 0 && round % 5 === 4) {
            const { total, spent, lost, escrow } = await mine.ledger()
            await mine.publish(plan(1 + round, total - spent - lost - escrow))
          }
        }
      }),
    )
    await pass(100)
    await leases.expire()
    await leases.publish({ epoch: 1000, batches: [] })
    const { spent, lost, escrow } = await leases.ledger()
    expect(await leases.open()).toEqual([])
    expect(escrow).toBe(0)
    expect(spent + lost).toBe(onTheWire)
    expect(onTheWire).toBeLessThanOrEqual(BUDGET)
    expect(onTheWire).toBeGreaterThan(BUDGET / 2)
    expect(await leases.segments(0)).toHaveLength(6 * 40)
    const { rows } = await admin.query(`SELECT sum(taken)::int AS taken FROM ${schema}.place`)
    expect(rows).toEqual([{ taken: 0 }])
  })

  it('empties a table of old plans whole, but waits for nobody who still reads it', async () => {
    const { leases, schema } = await begin()
    const plans = async () => {
      const { rows } = await admin.query(
        `SELECT epoch FROM ${schema}.batch_a UNION ALL SELECT epoch FROM ${schema}.batch_b ORDER BY 1`,
      )
      return rows.map(({ epoch }) => epoch / EPOCHS_A_TABLE)
    }
    await leases.setBudget(10)
    const publish = (table: number) =>
      leases.publish({ epoch: table * EPOCHS_A_TABLE, batches: [batchOf('a.test', 1)] })
    await publish(0)
    const reader = new pg.Client(server.url)
    await reader.connect()
    await reader.query('BEGIN')
    await reader.query(`SELECT * FROM ${schema}.batch_a`)
    for (const table of [1, 2, 3]) await publish(table)
    expect(await plans()).toEqual([0, 1, 2, 3])
    await reader.end()
    await publish(4)
    expect(await plans()).toEqual([1, 2, 3, 4])
    const ask = { worker: 'w', most: 1, seconds: 10, fromRank: 0, turn: 0, openSeconds: 1 }
    const [{ epoch, rank, token }] = await leases.lease(ask)
    await publish(5)
    // Somebody has a batch of the older table, which stays until that is over.
    await publish(6)
    expect(await plans()).toEqual([4, 5, 6])
    const told = { epoch, rank, token, done: [0], open: 0, end: 'ended' } as const
    const { answers } = await leases.report({ worker: 'w', seconds: 10, turn: 1, leases: [told] })
    expect(answers).toMatchObject([{ isLost: false }])
    await publish(7)
    expect(await plans()).toEqual([5, 6, 7])
  })

  it('refuses a schema of another version, and a name that is none', async () => {
    const { schema } = await begin()
    await admin.query(`UPDATE ${schema}.ledger SET version = 99`)
    await expect(open(schema)).rejects.toThrow('another version')
    await expect(open('x; DROP TABLE y')).rejects.toThrow('no name for a schema')
  })
})

/** Now and then somebody gives back what is not done. */
function opens({ open, done }: { open: number; done: readonly number[] }, opened: number): number {
  return open === 4 && opened === 1 && done.length === 0 ? -1 : open
}

const workerArbitrary = fc.constantFrom('v', 'w')
const aheadArbitrary = fc
  .uniqueArray(fc.tuple(fc.constantFrom('a.test', 'b.test', 'c.test'), fc.nat(3)), {
    selector: ([domain]) => domain,
  })
  .map((busy) => new Map(busy))

const stepArbitrary = fc.oneof(
  fc.record({ kind: fc.constant('withdraw' as const), isForGood: fc.boolean() }),
  fc.record({ kind: fc.constant('pass' as const), seconds: fc.nat(12) }),
  fc.record({
    kind: fc.constant('publish' as const),
    batches: fc.uniqueArray(
      fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.integer({ min: 1, max: 6 }), fc.nat(2)),
      { selector: ([domain]) => domain, maxLength: 5 },
    ),
  }),
  fc.record({
    kind: fc.constant('lease' as const),
    worker: workerArbitrary,
    most: fc.integer({ min: 1, max: 3 }),
    fromRank: fc.nat(2),
    turn: fc.nat(9),
    openSeconds: fc.constantFrom(undefined, 3),
    ahead: aheadArbitrary,
  }),
  fc.record({
    kind: fc.constant('locate' as const),
    worker: workerArbitrary,
    lease: fc.nat(),
    address: fc.integer({ min: 1, max: 2 }),
    turn: fc.nat(9),
  }),
  fc.record({
    kind: fc.constant('report' as const),
    worker: workerArbitrary,
    turn: fc.nat(9),
    at: fc.option(fc.subarray(['192.0.2.1', '192.0.2.2']), { nil: undefined }),
    isAll: fc.boolean(),
    lease: fc.nat(),
    open: fc.nat(4),
    done: fc.uniqueArray(fc.nat(5)),
    end: fc.constantFrom(undefined, undefined, 'ended' as const, 'handed back' as const),
    wants: fc.option(
      fc.record({
        most: fc.integer({ min: 1, max: 3 }),
        fromRank: fc.nat(2),
        openSeconds: fc.constantFrom(undefined, 3),
        newerThan: fc.integer({ min: -1, max: 1 }),
        ahead: aheadArbitrary,
      }),
      { nil: undefined },
    ),
  }),
)

/** Payloads come as other kinds of bytes. */
function plain<T extends { payload: Uint8Array }>({ payload, ...lease }: T) {
  return { ...lease, payload: new Uint8Array(payload) }
}

function byDomain(
  a: { domain: string; epoch: number },
  b: { domain: string; epoch: number },
): number {
  return a.domain === b.domain ? a.epoch - b.epoch : a.domain < b.domain ? -1 : 1
}
