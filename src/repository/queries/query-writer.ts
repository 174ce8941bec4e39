import type { DuckDBConnection } from '@duckdb/node-api'
import { clickWeight } from '#workload/click-weight.ts'
import type {
  AskedRecord,
  ClickRecord,
  JudgedRecord,
  LogRecord,
} from '#workload/formats/log-record.ts'
import { normalQuery } from '#workload/normal-query.ts'
import { appendRows } from '../database/append-columns.ts'
import { definePlainTable } from '../database/define-table.ts'
import { namedRows } from '../database/named-rows.ts'
import {
  ASKED,
  type Asked,
  CLICK,
  type Click,
  IMPRESSION,
  type Impression,
  JUDGMENT,
  type Judgment,
  QUERY,
} from '../tables/query-tables.ts'

const ROWS_AT_ONCE = 20_000
/** What a name stands for that belonged to a query we left out. */
const LEFT_OUT = -1

/** Only while an import runs. */
const RARE_QUERY = definePlainTable('rare_query', { id: 'integer' })

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
  #newQueries: { id: number; text: string }[] = []
  #asked: Asked[] = []
  #impressions: Impression[] = []
  #clicks: Click[] = []
  #judgments: Judgment[] = []

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
    const shape = { text: String, id: Number }
    const queries = await namedRows(connection, 'SELECT text, id FROM query', shape)
    const idOf = new Map(queries.map(({ text, id }) => [text, id]))
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
    const search = { query_id: id, import_id: importId, name }
    this.#asked.push({ ...search, asked_at: at, count })
    results.forEach((url, i) => {
      if (url !== '')
        this.#impressions.push({ ...search, seen_at: at, url, rank: i + 1, score: null })
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
    const search = { query_id: id, import_id: importId, name }
    this.#clicks.push({ ...search, clicked_at: at, url, rank, count, weight })
  }

  /** The number of a query, or why it cannot have one. */
  #queryId(raw: string): number | string {
    const normal = normalQuery(raw)
    if (normal.text === undefined) return normal.rejection
    const known = this.#idOf.get(normal.text)
    if (known !== undefined) return known
    const id = this.#nextId++
    this.#idOf.set(normal.text, id)
    this.#newQueries.push({ id, text: normal.text })
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
    await appendRows(this.#connection, QUERY, queries)
    await appendRows(this.#connection, ASKED, asked)
    await appendRows(this.#connection, IMPRESSION, impressions)
    await appendRows(this.#connection, CLICK, clicks)
    await appendRows(this.#connection, JUDGMENT, judgments)
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
      else this.#judgments.push(judgmentOf(record, id, importId))
      if (this.isFull) await this.flush()
    }
    this.#waiting.length = 0
    await this.flush()
  }

  async #findStored(missing: ReadonlySet<string>): Promise<void> {
    const named = await namedRows(
      this.#connection,
      'SELECT DISTINCT name, query_id FROM asked WHERE name IS NOT NULL',
      { name: String, query_id: Number },
    )
    for (const { name, query_id } of named) if (missing.has(name)) this.#names.set(name, query_id)
  }

  /**
   * Takes back the queries of this import that fewer than so many clients asked; gives how many. Where the
   * log names nobody there is nobody to protect.
   */
  async dropRare(minClients: number, firstImport: number): Promise<number> {
    const counts = this.#clients
    if (!counts) return 0
    const asked = await namedRows(
      this.#connection,
      `SELECT DISTINCT query_id FROM asked WHERE import_id >= ${firstImport}`,
      { query_id: Number },
    )
    const rare = asked
      .map(({ query_id }) => ({ id: query_id }))
      .filter(({ id }) => (counts.get(id)?.size ?? minClients) < minClients)
    await this.#connection.run(`CREATE TEMP TABLE ${RARE_QUERY.name} (id BIGINT)`)
    await appendRows(this.#connection, RARE_QUERY, rare)
    for (const { name } of [ASKED, IMPRESSION, CLICK, JUDGMENT])
      await this.#connection.run(
        `DELETE FROM ${name} WHERE import_id >= ${firstImport} AND query_id IN (FROM ${RARE_QUERY.name})`,
      )
    await this.#connection.run(`DROP TABLE ${RARE_QUERY.name}`)
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

function judgmentOf({ url, grade }: JudgedRecord, id: number, importId: number): Judgment {
  return { query_id: id, import_id: importId, url, grade }
}
