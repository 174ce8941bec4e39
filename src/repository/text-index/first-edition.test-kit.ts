import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { type Manifest, readManifest } from './manifest.ts'
import type { StoredPage } from './stored-page.ts'

/** Makes an index one of the first edition, which knew no checksums; its pages are these. */
export function makeFirstEdition(
  dir: string,
  pages: readonly (readonly [number: number, page: StoredPage])[],
): void {
  const folder = join(dir, 'index')
  const { terms, segments } = readManifest(dir) as Manifest
  const groups = pages.map(([number, { url, fetchedAt, title, text }]) => {
    const packed = zstdCompressSync(`${JSON.stringify([url, fetchedAt, title])}\n${text}`)
    return Buffer.concat([
      new Uint8Array(Uint32Array.of(packed.length, 1, number, 0, 0, 0, 0, 0, 0, 0).buffer),
      packed,
    ])
  })
  writeFileSync(join(folder, 'pages.bin'), Buffer.concat(groups))
  const pageBytes = readFileSync(join(folder, 'pages.bin')).length
  const listed = segments.map(({ segment, alive }) => ({ file: segment.file, alive: alive?.file }))
  const manifest = { format: 1, termBytes: terms.bytes, pageBytes, segments: listed }
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest))
}
