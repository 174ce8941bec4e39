import pg from 'pg'
import { afterAll, beforeAll, describe } from 'vitest'
import { leasesContract } from '#crawl/leases/leases-contract.test-kit.ts'
import { hasPostgres, startPostgres, type TestPostgres } from './postgres.test-kit.ts'
import { openPostgresLeases } from './postgres-leases.ts'

describe.runIf(hasPostgres)('leases in PostgreSQL', () => {
  let server: TestPostgres
  let admin: pg.Client
  let schemas = 0

  beforeAll(async () => {
    server = startPostgres()
    admin = new pg.Client(server.url)
    await admin.connect()
  })
  afterAll(async () => {
    await admin?.end()
    server?.stop()
  })

  leasesContract(async () => {
    const schema = `try_${schemas++}`
    const leases = await openPostgresLeases({ url: server.url, schema })
    await admin.query(`CREATE TABLE ${schema}.now AS SELECT 1000::double precision AS seconds`)
    await admin.query(
      `CREATE OR REPLACE FUNCTION ${schema}.clock() RETURNS double precision LANGUAGE sql AS 'SELECT seconds FROM ${schema}.now'`,
    )
    return {
      leases,
      pass: async (seconds) => {
        await admin.query(`UPDATE ${schema}.now SET seconds = seconds + $1`, [seconds])
      },
    }
  })
})
