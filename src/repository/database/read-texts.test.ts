import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { appendColumns } from './append-columns.ts'
import { openDatabase } from './open-database.ts'
import { endOfIds, readTexts } from './read-texts.ts'

test('texts come back in the order of their ids, whatever they hold', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'forager-texts-'))
  const { connection, close } = await openDatabase(dir)
  try {
    await connection.run('CREATE TABLE said (id BIGINT, text VARCHAR)')
    const texts = Array.from({ length: 5_000 }, (_, i) => `text ${i} – ü 漢字 😀`)
    texts[7] = ''
    texts[1_500] = 'two\nlines\n'
    texts[4_999] = '\n'
    const ids = Uint32Array.from(texts, (_, i) => i)
    const values: (string | null)[] = [...texts]
    values[8] = null
    texts[8] = ''
    await appendColumns(connection, 'said', [
      { type: 'bigint', values: ids },
      { type: 'text', values },
    ])
    const said = { table: 'said', id: 'id', text: 'text' }
    expect(await endOfIds(connection, 'said', 'id')).toBe(5_000)
    expect(await readTexts(connection, said, 0, 5_000)).toEqual(texts)
    expect(await readTexts(connection, said, 1_400, 1_600)).toEqual(texts.slice(1_400, 1_600))
    expect(await readTexts(connection, said, 5_000, 6_000)).toEqual([])
  } finally {
    close()
    rmSync(dir, { recursive: true, force: true })
  }
})
