import type { DuckDBConnection } from '@duckdb/node-api'
import { clickWeight } from '#workload/click-weight.ts'
import type {
  AskedRecord,
  ClickRecord,
  JudgedRecord,
  LogRecord,
} from '#workload/formats/log-record.ts'
import { normalQuery } from '#workload/normal-query.ts'
import { appendColumns } from '../database/append-columns.ts'
import { appendRows, type TableRow } from '../tables/append-rows.ts'

const ROWS_AT_ONCE = 20_000
/** What a name stands for that belonged to a query we left out. */
const LEFT_OUT = -1

type Named = (ClickRecord | JudgedRecord) & { readonly name: string }

/** A record that speaks of a query which may come later. */
interface Waiting {
  readonly record: Named
  readonly importId: number
  readonly unknown: () => void
}

/** Turns what logs tell into rows. Everything happens inside the caller's transaction. */
export class QueryWriter {
  readonly #connection: DuckDBConnection
  readonly #idOf: Map<string, number>
  readonly #firstNewId: number
  #nextId: number
  readonly #names = new Map<string, number>()
  readonly #waiting: Waiting[] = []
  readonly #clients: Map<number, Set<string>> | undefined
  #newQueries: TableRow[] = []
  #asked: TableRow[] = []
  #impressions: TableRow[] = []
  #clicks: TableRow[] = []
  #judgments: TableRow[] = []

  private constructor(
    connection: DuckDBConnection,
    idOf: Map<string, number>,
    countClients: boolean,
  ) {
    this.#connection = connection
    this.#idOf = idOf
    this.#nextId = [...idOf.values()].reduce((most, id) => Math.max(most, id + 1), 0)
    this.#firstNewId = this.#nextId
    if (countClients) this.#clients = new Map()
  }

  static async open(connection: DuckDBConnection, countClients: boolean): Promise<QueryWriter> {
    const rows = await connection.runAndReadAll('SELECT text, id::DOUBLE FROM query')
    const idOf = new Map(rows.getRows().map(([text, id]) => [String(text), Number(id)]))
    return new QueryWriter(connection, idOf, countClients)
  }

  /** Queries that came with this import have this number or a larger one. */
  get firstNewId(): number {
    return this.#firstNewId
  }

  get isFull(): boolean {
    return this.#asked.length + this.#impressions.length + this.#clicks.length > ROWS_AT_ONCE
  }

  /** Takes a record in; gives why not, if it cannot. `unknown` is called if its query never comes. */
  take(record: LogRecord, importId: number, unknown: () => void): string | undefined {
    if (record.kind === 'asked') return this.#takeAsked(record, importId)
    if (record.kind === 'click' && record.text !== undefined) {
      const id = this.#queryId(record.text)
      if (typeof id === 'string') return id
      this.#addClick(record, id, importId)
    } else if (record.name !== undefined)
      this.#waiting.push({ record: record as Named, importId, unknown })
    return undefined
  }

  #takeAsked(record: AskedRecord, importId: number): string | undefined {
    const { text, count, at, client, name, results = [] } = record
    const id = this.#queryId(text)
    if (name !== undefined) this.#names.set(name, typeof id === 'string' ? LEFT_OUT : id)
    if (typeof id === 'string') return id
    this.#asked.push([id, importId, at ?? null, count, name ?? null])
    results.forEach((url, i) => {
      if (url !== '')
        this.#impressions.push([id, importId, at ?? null, url, i + 1, null, name ?? null])
    })
    if (client !== undefined && this.#clients) {
      const clients = this.#clients.get(id)
      if (clients) clients.add(client)
      else this.#clients.set(id, new Set([client]))
    }
    return undefined
  }

  #addClick({ url, count, at, rank, name }: ClickRecord, id: number, importId: number): void {
    const weight = count * clickWeight(rank)
    this.#clicks.push([id, importId, at ?? null, url, rank ?? null, count, weight, name ?? null])
  }

  /** The number of a query, or why it cannot have one. */
  #queryId(raw: string): number | string {
    const normal = normalQuery(raw)
    if (normal.text === undefined) return normal.rejection
    const known = this.#idOf.get(normal.text)
    if (known !== undefined) return known
    const id = this.#nextId++
    this.#idOf.set(normal.text, id)
    this.#newQueries.push([id, normal.text])
    return id
  }

  /** Writes the rows that have come together. */
  async flush(): Promise<void> {
    const [queries, asked, impressions] = [this.#newQueries, this.#asked, this.#impressions]
    const [clicks, judgments] = [this.#clicks, this.#judgments]
    this.#newQueries = []
    this.#asked = []
    this.#impressions = []
    this.#clicks = []
    this.#judgments = []
    await appendRows(this.#connection, 'query', queries)
    await appendRows(this.#connection, 'asked', asked)
    await appendRows(this.#connection, 'impression', impressions)
    await appendRows(this.#connection, 'click', clicks)
    await appendRows(this.#connection, 'judgment', judgments)
  }

  /** Finds the queries that records named, in this import or in earlier ones. */
  async settle(): Promise<void> {
    const missing = new Set(this.#waiting.map(({ record }) => record.name))
    for (const name of this.#names.keys()) missing.delete(name)
    if (missing.size > 0) await this.#findStored(missing)
    for (const { record, importId, unknown } of this.#waiting) {
      const id = this.#names.get(record.name)
      if (id === undefined) unknown()
      else if (id === LEFT_OUT) continue
      else if (record.kind === 'click') this.#addClick(record, id, importId)
      else this.#judgments.push([id, importId, record.url, record.grade])
      if (this.isFull) await this.flush()
    }
    this.#waiting.length = 0
    await this.flush()
  }

  async #findStored(missing: ReadonlySet<string>): Promise<void> {
    const rows = await this.#connection.runAndReadAll(
      'SELECT DISTINCT name, query_id::DOUBLE FROM asked WHERE name IS NOT NULL',
    )
    for (const [name, id] of rows.getRows())
      if (missing.has(String(name))) this.#names.set(String(name), Number(id))
  }

  /**
   * Takes back the queries of this import that fewer than so many clients asked; gives how many. Where the
   * log names nobody there is nobody to protect.
   */
  async dropRare(minClients: number, firstImport: number): Promise<number> {
    const counts = this.#clients
    if (!counts) return 0
    const rows = await this.#connection.runAndReadAll(
      `SELECT DISTINCT query_id::DOUBLE FROM asked WHERE import_id >= ${firstImport}`,
    )
    const rare = rows
      .getRows()
      .map(([id]) => Number(id))
      .filter((id) => (counts.get(id)?.size ?? minClients) < minClients)
    await this.#connection.run('CREATE TEMP TABLE rare_query (id BIGINT)')
    await appendColumns(this.#connection, 'rare_query', [{ type: 'bigint', values: rare }])
    for (const table of ['asked', 'impression', 'click', 'judgment'])
      await this.#connection.run(
        `DELETE FROM ${table} WHERE import_id >= ${firstImport} AND query_id IN (FROM rare_query)`,
      )
    await this.#connection.run('DROP TABLE rare_query')
    return rare.length
  }

  /** Forgets the texts of new queries that nothing was kept of: they may be what nobody should see. */
  async dropUnused(): Promise<void> {
    const used = ['asked', 'click', 'judgment'].map((table) => `SELECT query_id FROM ${table}`)
    await this.#connection.run(
      `DELETE FROM query WHERE id >= ${this.#firstNewId} AND id NOT IN (${used.join(' UNION ')})`,
    )
  }
}
