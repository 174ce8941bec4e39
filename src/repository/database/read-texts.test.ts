import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { appendColumns } from './append-columns.ts'
import { columnsFrom, defineTable } from './define-table.ts'
import { openDatabase } from './open-database.ts'
import { endOfIds, readTexts } from './read-texts.ts'

test('texts come back in the order of their ids, whatever they hold', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'forager-texts-'))
  const { connection, close } = await openDatabase(dir)
  try {
    await connection.run('CREATE TABLE said (text VARCHAR, id BIGINT)')
    const { integer, text } = columnsFrom<string>()
    const said = defineTable('said', { id: integer(() => 0), text: text((row) => row) })
    const texts = Array.from({ length: 5_000 }, (_, i) => `text ${i} – ü 漢字 😀`)
    texts[7] = ''
    texts[1_500] = 'two\nlines\n'
    texts[4_999] = '\n'
    const ids = Uint32Array.from(texts, (_, i) => i)
    const values: (string | null)[] = [...texts]
    values[8] = null
    texts[8] = ''
    await appendColumns(connection, said, values.length, { id: ids, text: values })
    expect(await endOfIds(connection, said, 'id')).toBe(5_000)
    const read = (from: number, to: number) =>
      readTexts(connection, said, { id: 'id', text: 'text' }, from, to)
    expect(await read(0, 5_000)).toEqual(texts)
    expect(await read(1_400, 1_600)).toEqual(texts.slice(1_400, 1_600))
    expect(await read(5_000, 6_000)).toEqual([])
  } finally {
    close()
    rmSync(dir, { recursive: true, force: true })
  }
})
