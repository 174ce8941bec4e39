import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../temporary-folder.test-kit.ts'
import { readCdxjLine } from './cdxj.ts'
import { openWriter, parseWithWarcio, readWithWarcio, warcNames } from './warc.test-kit.ts'

const APPENDER = join(import.meta.dirname, 'endless-appender.test-kit.ts')

/** Lets a process append until it ends, or has kept so many exchanges; gives what it printed. */
function append(command: string, args: string[], killAfter = Infinity): Promise<string[]> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  child.stdout.on('data', (data) => {
    printed += data
    if (printed.split('\n').length > killAfter) child.kill('SIGKILL')
  })
  return new Promise((resolve) => {
    child.on('close', () => resolve(printed.split('\n').slice(0, -1)))
  })
}

/** Numbers of the exchanges that are on file, by warcio's reading, and those in the index. */
async function keptIn(dir: string) {
  const onFile: number[] = []
  for (const name of warcNames(dir))
    for (const { type, url } of await readWithWarcio(join(dir, name)))
      if (type === 'response') onFile.push(Number(new URL(url!).pathname.slice(1)))
  const lines = readFileSync(join(dir, 'index.cdxj'), 'utf8').trimEnd().split('\n')
  return { onFile, index: lines.map((line) => readCdxjLine(line)!) }
}

test('kill -9 loses nothing that was kept, and leaves nothing half', async () => {
  const dir = temporaryFolder()
  const acknowledged = new Set<number>()
  for (const killAfter of [1, 7, 40, 150]) {
    const printed = await append(process.execPath, [APPENDER, dir, '100000'], killAfter)
    for (const number of printed.map(Number)) acknowledged.add(number)
    await (await openWriter(dir)).close()
    const { onFile, index } = await keptIn(dir)
    expect([...acknowledged].filter((number) => !onFile.includes(number))).toEqual([])
    expect(index.length).toBeGreaterThanOrEqual(onFile.length)
    for (const { filename, offset, length, url } of index.slice(-20)) {
      const bytes = readFileSync(join(dir, filename)).subarray(offset, offset + length)
      expect((await parseWithWarcio(bytes)).map((seen) => seen.url)).toEqual([url])
    }
  }
})

test('a full disk ends in an error, with all that was kept whole', async () => {
  const dir = temporaryFolder()
  // A limit on the size of files does what a full disk does: it writes a part, then fails.
  const limited = `ulimit -f 100; exec "${process.execPath}" "${APPENDER}" "${dir}" 1000000000`
  const printed = await append('bash', ['-c', limited])
  expect(printed.pop()).toBe('EFBIG')
  const { opened } = await openWriter(dir)
  expect(opened).toMatchObject({ cutBytes: 0, indexed: 0 })
  const { onFile } = await keptIn(dir)
  expect(onFile).toEqual(printed.map(Number))
})
