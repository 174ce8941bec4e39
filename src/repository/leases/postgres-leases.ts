import type { Pool } from 'pg'
import type {
  ArriveRequest,
  BatchState,
  KnownWorker,
  Lease,
  LeaseLedger,
  LeaseReport,
  LeaseRequest,
  Leases,
  LeasesLook,
  OpenLease,
  PublishedPlan,
  ReportAnswer,
  StoredSegment,
  WorkerReport,
} from '#crawl/leases/leases.ts'
import { SettingError } from '#errors/setting-error.ts'
import { LEASES_SCHEMA, SCHEMA_VERSION } from './leases-schema.ts'

/** Deadlock, serialization failure: the same again may do. */
const WORTH_ANOTHER_TRY = new Set(['40P01', '40001'])
const TRIES = 5
/** Whoever has not answered by then is not there. */
const ANSWER_MS = 5_000
/**
 * Of every connection: a plan is made once, and by indexes, as tables that were just made look empty to whoever plans.
 * To be planned each time is what a statement of a few rows costs most.
 */
const PLANS =
  '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c enable_bitmapscan=off -c jit=off'

interface PostgresLeasesOptions {
  /** `postgres://user@host/database`. */
  readonly url: string
  /** Crawls of one database have a schema each. */
  readonly schema: string
}

/** Leases in a PostgreSQL database (15 or later), for workers on any machine. */
export async function openPostgresLeases({ url, schema }: PostgresLeasesOptions): Promise<Leases> {
  if (!/^[a-z_][a-z0-9_]{0,50}$/.test(schema))
    throw new SettingError('leases', `${schema} is no name for a schema: use a-z, 0-9 and _`)
  const { default: pg } = await import('pg').catch((cause: unknown) => {
    throw new SettingError('leases', 'PostgreSQL needs the package pg: npm install pg', { cause })
  })
  const pool = new pg.Pool({
    connectionString: url,
    // One that stays: to begin another costs the server as much as some dozen leases.
    ...{ max: 1, idleTimeoutMillis: 0 },
    // A network that swallows everything must not keep a worker from noticing that its leases end.
    ...{ connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS, keepAlive: true },
    options: `-c search_path=${schema} -c idle_in_transaction_session_timeout=60000 -c statement_timeout=60000 ${PLANS}`,
  })
  // A connection that breaks while nobody uses it is replaced when somebody does.
  pool.on('error', () => {})
  try {
    await makeSchema(pool, schema)
  } catch (error) {
    await pool.end()
    throw error
  }
  return new PostgresLeases(pool)
}

async function makeSchema(pool: Pool, schema: string): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    // Two that start at once would both make it.
    await client.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`forager ${schema}`])
    const { rows: found } = await client.query('SELECT to_regclass($1) AS ledger', [
      `${schema}.ledger`,
    ])
    if (found[0].ledger === null) {
      await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`)
      await client.query(LEASES_SCHEMA)
      await client.query('INSERT INTO ledger (version) VALUES ($1)', [SCHEMA_VERSION])
    }
    const { rows } = await client.query('SELECT version FROM ledger')
    if (rows[0].version !== SCHEMA_VERSION)
      throw new SettingError(
        'leases',
        `schema ${schema} was made by another version of Forager (${rows[0].version}, not ${SCHEMA_VERSION}): name another, or drop it`,
      )
    await client.query('COMMIT')
  } finally {
    client.release()
  }
}

class PostgresLeases implements Leases {
  readonly #pool: Pool

  constructor(pool: Pool) {
    this.#pool = pool
  }

  async now(): Promise<number> {
    const [row] = await this.#rows('SELECT clock() AS now')
    return row.now as number
  }

  async announce(text: string): Promise<void> {
    await this.#rows('UPDATE ledger SET announced = $1', [text])
  }

  async announced(): Promise<string> {
    const [row] = await this.#rows('SELECT announced FROM ledger')
    return row.announced as string
  }

  async epoch(): Promise<number> {
    const [row] = await this.#rows('SELECT epoch FROM ledger')
    return row.epoch as number
  }

  async setBudget(total: number): Promise<void> {
    await this.#rows('UPDATE ledger SET total = greatest($1, spent + lost + escrow)', [total])
  }

  async publish({ epoch, batches, places = new Map() }: PublishedPlan): Promise<void> {
    const column = <T>(of: (batch: PublishedPlan['batches'][number]) => T) => batches.map(of)
    await this.#rows('SELECT publish($1, $2, $3, $4, $5, $6, $7, $8)', [
      epoch,
      column(({ domain }) => domain),
      column(({ address }) => address),
      column(({ size }) => size),
      column(({ restSeconds }) => restSeconds),
      column(({ payload }) => Buffer.from(payload)),
      [...places.keys()],
      [...places.values()],
    ])
  }

  async withdraw(isForGood: boolean): Promise<void> {
    await this.#rows('SELECT withdraw($1)', [isForGood])
  }

  async lease(request: LeaseRequest): Promise<readonly Lease[]> {
    const { worker, most, seconds, fromRank, turn, openSeconds = 0, onlyHere = false } = request
    const rows = await this.#rows('SELECT * FROM take_leases($1, $2, $3, $4, $5, $6, $7, $8, $9)', [
      worker,
      most,
      seconds,
      fromRank,
      turn,
      openSeconds,
      onlyHere,
      [...(request.ahead?.keys() ?? [])],
      [...(request.ahead?.values() ?? [])],
    ])
    return rows.map(leaseOf)
  }

  async arrive({ worker, seconds, addresses, turn }: ArriveRequest): Promise<readonly string[]> {
    const rows = await this.#rows('SELECT * FROM arrive($1, $2, $3, $4) AS at', [
      worker,
      seconds,
      addresses,
      turn,
    ])
    return rows.map(({ at }) => at as string)
  }

  async report(report: WorkerReport): Promise<ReportAnswer> {
    const { worker, seconds, segment = '', leases, turn, at, held, wants } = report
    const column = <T>(of: (lease: LeaseReport) => T) => leases.map(of)
    const rows = await this.#rows(
      `SELECT latest, places, grants, (leased).* FROM report(
        $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24)`,
      [
        ...[worker, seconds, segment, turn, at ?? null, held ?? null],
        column(({ epoch }) => epoch),
        column(({ rank }) => rank),
        column(({ token }) => token),
        column(({ done }) => textOf(done)),
        column(({ free = [] }) => textOf(free)),
        column(({ open }) => open),
        column(({ end }) => (end === undefined ? '' : end === 'ended' ? 'e' : 'b')),
        column(({ restSeconds = 0 }) => restSeconds),
        column(({ hosts }) => hosts?.text ?? ''),
        column(({ hosts }) => hosts?.seconds ?? 0),
        column(({ address = '' }) => address),
        ...[wants?.most ?? 0, wants?.fromRank ?? 0, wants?.openSeconds ?? 0, wants?.newerThan ?? 0],
        wants?.onlyHere ?? false,
        [...(wants?.ahead?.keys() ?? [])],
        [...(wants?.ahead?.values() ?? [])],
      ],
    )
    const [{ latest, places, grants }, ...got] = rows
    // Of what it has no more, nothing is said.
    const answers = leases.map(({ epoch, rank }) => ({ epoch, rank, isLost: true, granted: 0 }))
    for (const [i, place] of ((places ?? []) as number[]).entries())
      Object.assign(answers[place - 1], { isLost: false, granted: (grants as number[])[i] })
    return {
      ...{ answers, epoch: latest as number },
      leases: got.map(({ latest: _, places: __, grants: ___, ...lease }) => leaseOf(lease)),
    }
  }

  async expire(): Promise<number> {
    const [row] = await this.#rows('SELECT expire(1000000) AS ended')
    return row.ended as number
  }

  async ledger(): Promise<LeaseLedger> {
    const [row] = await this.#rows('SELECT total, spent, lost, escrow FROM ledger')
    return ledgerOf(row)
  }

  async open(withPayloads = false): Promise<readonly OpenLease[]> {
    const rows = await this.#rows(
      `SELECT h.epoch, h.rank, d.domain, d.worker, b.opened, b.done::text, ${withPayloads ? 'b.payload' : "''::bytea AS payload"}, w.until - clock() AS left
       FROM domain_state d CROSS JOIN unnest(d.held) h JOIN worker w ON w.name = d.worker
       JOIN LATERAL (SELECT * FROM batch_a UNION ALL SELECT * FROM batch_b) b ON b.epoch = h.epoch AND b.rank = h.rank`,
    )
    return rows.map(({ done, left, ...lease }) => ({
      ...(lease as unknown as Omit<OpenLease, 'done' | 'secondsLeft'>),
      done: bitsOf(done as string),
      secondsLeft: left as number,
    }))
  }

  async segments(after: number): Promise<readonly StoredSegment[]> {
    const rows = await this.#rows('SELECT * FROM segment WHERE sequence > $1 ORDER BY sequence', [
      after,
    ])
    return rows.map(({ sequence, name, worker, repeated }) => ({
      ...{ sequence: Number(sequence), name: name as string, worker: worker as string },
      repeated: repeatedIn(repeated as string),
    }))
  }

  async forgetSegments(upTo: number): Promise<void> {
    await this.#rows(
      'DELETE FROM segment WHERE sequence <= $1 AND sequence < (SELECT max(sequence) FROM segment)',
      [upTo],
    )
  }

  async look(epochs: readonly number[]): Promise<LeasesLook> {
    const [row] = await this.#rows('SELECT * FROM look($1)', [epochs])
    return { ledger: ledgerOf(row), batches: statesIn((row.batches as string | null) ?? '') }
  }

  async workers(): Promise<readonly KnownWorker[]> {
    const rows = await this.#rows(
      `SELECT name, done, clock() - since AS age, clock() - seen AS silent, until <= clock() AS is_lost,
        coalesce(held.leases, 0) AS leases
       FROM worker LEFT JOIN (SELECT worker, sum(cardinality(held)) AS leases FROM domain_state GROUP BY worker) held ON held.worker = name ORDER BY since DESC, name`,
    )
    return rows.map(({ name, done, age, silent, is_lost, leases }) => ({
      ...{ name: name as string, done: Number(done), leases: Number(leases) },
      ...{ ageSeconds: age as number, silentSeconds: silent as number },
      isLost: is_lost as boolean,
    }))
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }

  async #rows(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    // What has a name is planned once a connection.
    const query = { text, values, name: nameOf(text) }
    for (let tries = 1; ; tries++)
      try {
        return (await this.#pool.query(query)).rows
      } catch (error) {
        const { code = '' } = error as { code?: string }
        if (tries === TRIES || !WORTH_ANOTHER_TRY.has(code)) throw error
      }
  }
}

const STATES = { q: 'queued', l: 'leased', e: 'ended' } as const

function leaseOf({ token, rest_seconds, done, ...lease }: Record<string, unknown>): Lease {
  return {
    ...(lease as unknown as Omit<Lease, 'token' | 'restSeconds' | 'done'>),
    token: Number(token),
    restSeconds: rest_seconds as number,
    done: bitsOf(done as string),
  }
}

function ledgerOf({ total, spent, lost, escrow }: Record<string, unknown>): LeaseLedger {
  return {
    ...{ total: Number(total), spent: Number(spent) },
    ...{ lost: Number(lost), escrow: Number(escrow) },
  }
}

/** Lines of epoch, rank, state, opened and bits. */
function statesIn(lines: string): BatchState[] {
  return lines.split('\n').flatMap((line) => {
    const [epoch, rank, state, opened, bits] = line.split(' ')
    if (line === '') return []
    return [
      {
        ...{ epoch: Number(epoch), rank: Number(rank), opened: Number(opened) },
        ...{ state: STATES[state as keyof typeof STATES], done: bitsOf(bits) },
      },
    ]
  })
}

/** Lines of epoch, rank and bits. */
function repeatedIn(lines: string): StoredSegment['repeated'] {
  return lines.split('\n').flatMap((line) => {
    const [epoch, rank, bits = ''] = line.split(' ')
    const positions = bitsOf(bits).flatMap((isSet, position) => (isSet ? [position] : []))
    return line === '' ? [] : [{ epoch: Number(epoch), rank: Number(rank), positions }]
  })
}

const names = new Map<string, string>()

/** A name for each statement: its own words would be cut after 63 letters. */
function nameOf(text: string): string {
  if (!names.has(text)) names.set(text, `s${names.size}`)
  return names.get(text)!
}

function bitsOf(text: string): boolean[] {
  return Array.from(text, (bit) => bit === '1')
}

/** A 1 at each position; '' for none. */
function textOf(positions: readonly number[]): string {
  if (positions.length === 0) return ''
  const bits = Array<string>(Math.max(...positions) + 1).fill('0')
  for (const position of positions) bits[position] = '1'
  return bits.join('')
}
