import { expect, it } from 'vitest'
import type { SegmentStore } from '#crawl/segments/segment-store.ts'

/** What holds for every store. */
export function segmentsContract(open: () => Promise<SegmentStore>): void {
  it('gives back what was put, byte for byte, and nothing for other names', async () => {
    const store = await open()
    const bytes = Uint8Array.from({ length: 70_000 }, (_, i) => (i * 7) % 256)
    await store.put('w-000001.warc.gz', bytes)
    await store.put('w-000001.jsonl.gz', new Uint8Array())
    expect(Buffer.from((await store.get('w-000001.warc.gz'))!).equals(bytes)).toBe(true)
    expect((await store.get('w-000001.jsonl.gz'))?.length).toBe(0)
    expect(await store.get('w-000002.warc.gz')).toBeUndefined()
    await store.close()
  })

  it('takes the same again, lists by name, and removes what is there or not', async () => {
    const store = await open()
    for (const name of ['b', 'a', 'b']) await store.put(name, Buffer.from(name))
    expect(await store.list()).toEqual(['a', 'b'])
    await store.remove('a')
    await store.remove('a')
    expect(await store.list()).toEqual(['b'])
    await store.close()
  })
}
