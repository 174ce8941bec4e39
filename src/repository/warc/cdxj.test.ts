import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { getSurt } from 'warcio'
import { temporaryFolder } from '../temporary-folder.test-kit.ts'
import { type CdxjEntry, cdxjLine, readCdxjLine, surtKey } from './cdxj.ts'
import { sortCdxj } from './sort-cdxj.ts'

const entry: CdxjEntry = {
  url: 'https://a.example/x',
  at: Date.UTC(2026, 10, 15, 12, 30, 59) / 1000,
  mime: 'text/html',
  status: 200,
  digest: 'sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ',
  length: 12,
  offset: 34,
  filename: 'x.warc.gz',
  record: '00000000-0000-4000-8000-000000000001',
  truncated: undefined,
}

describe('a line of the index', () => {
  test('has key, timestamp and fields, as other tools write them', () => {
    expect(cdxjLine(entry)).toBe(
      'example,a)/x 20261115123059 {"url":"https://a.example/x","mime":"text/html","status":"200","digest":"3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ","length":"12","offset":"34","filename":"x.warc.gz","record":"00000000-0000-4000-8000-000000000001"}\n',
    )
  })

  test('is read back as it was written', () => {
    for (const truncated of [undefined, 'length'])
      expect(readCdxjLine(cdxjLine({ ...entry, truncated }))).toEqual({ ...entry, truncated })
  })

  test.each(['', 'example,a)/ 2026', 'example,a)/ 20261115123059 {"url":"h', '{}', ' !meta {}'])(
    'that is none is passed over: %j',
    (line) => {
      expect(readCdxjLine(line)).toBeUndefined()
    },
  )

  test('is keyed as warcio keys it', () => {
    const hosts = fc.constantFrom(
      'a.example',
      'WWW.b.example',
      'www2.c.d.example',
      '127.0.0.1:8080',
    )
    const url = fc
      .tuple(fc.constantFrom('http', 'https'), hosts, fc.webPath(), fc.webQueryParameters())
      .map(
        ([scheme, host, path, query]) => `${scheme}://${host}${path || '/'}${query && `?${query}`}`,
      )
    fc.assert(
      fc.property(url, (text) => {
        // warcio keeps an upper-case WWW; to us it is one.
        expect(surtKey(text)).toBe(getSurt(text.replace('WWW.', 'www.')))
      }),
    )
  })
})

describe('sorting an index', () => {
  const sorted = async (text: string) => {
    const path = join(temporaryFolder(), 'index.cdxj')
    writeFileSync(path, text)
    await sortCdxj(path)
    return readFileSync(path, 'utf8')
  }

  test('gives what sorting all its lines by bytes gives, each once', async () => {
    const lines = fc.array(fc.stringMatching(/^[a-cé]{1,4}$/))
    await fc.assert(
      fc.asyncProperty(lines, lines, async (before, appended) => {
        const text = [...before.sort(), ...appended].map((line) => `${line}\n`).join('')
        const wanted = [...new Set([...before, ...appended])]
          .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
          .map((line) => `${line}\n`)
        expect(await sorted(text)).toBe(wanted.join(''))
      }),
      { numRuns: 60 },
    )
  })

  test('leaves a sorted one, an empty one and a missing one alone', async () => {
    expect(await sorted('a\nb\n')).toBe('a\nb\n')
    expect(await sorted('')).toBe('')
    await sortCdxj(join(temporaryFolder(), 'none'))
  })
})
