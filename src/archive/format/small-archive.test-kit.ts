import type {
  ArchiveRecords,
  BlockRecord,
  LinkRecord,
  PageRecord,
  VersionRecord,
} from './format.ts'

/** One content of a page, in a form that fits in a test. */
export interface SmallVersion {
  /** First and last snapshot it was live. */
  readonly live: readonly [from: number, to: number]
  readonly title?: string
  readonly text?: readonly string[]
  readonly boilerplate?: readonly string[]
  /** URL and anchor. */
  readonly links?: readonly (readonly [url: string, anchor: string])[]
  readonly redirect?: string
}

/** The records of a small handmade archive: snapshots a week apart, pages by URL, versions in order. */
export function smallArchive(
  snapshots: number,
  pages: Readonly<Record<string, readonly SmallVersion[]>>,
  extra: { start?: readonly string[]; robots?: Readonly<Record<string, string>> } = {},
): ArchiveRecords {
  const urls = Object.keys(pages)
  const pageRecords: PageRecord[] = []
  const versions: VersionRecord[] = []
  const blocks: BlockRecord[] = []
  const links: LinkRecord[] = []
  const live = new Array<number>(snapshots).fill(0)
  for (const [p, url] of urls.entries()) {
    const spans: [number, number, number][] = []
    for (const { live: span, title, text, boilerplate, links: out, redirect } of pages[url]) {
      const main = [title ?? '', ...(text ?? [])].join('\n')
      const all = JSON.stringify([main, boilerplate, out, redirect])
      const version = versions.length
      const firstBlock = blocks.length
      for (const line of boilerplate ?? []) blocks.push([line, 1])
      for (const line of text ?? []) blocks.push([line])
      const firstLink = links.length
      for (const [target, anchor] of out ?? [])
        links.push(urls.includes(target) ? [target, anchor, 1] : [target, anchor])
      versions.push({
        i: version,
        p,
        h: `h:${all}`,
        c: `c:${main}`,
        t: title ?? '',
        n: [...(boilerplate ?? []), ...(text ?? [])].join('\n').length,
        b: runFrom(firstBlock, blocks.length),
        l: runFrom(firstLink, links.length),
        ...(redirect === undefined ? {} : { rd: redirect }),
      })
      spans.push([span[0], span[1], version])
      for (let snapshot = span[0]; snapshot <= span[1]; snapshot++) live[snapshot]++
    }
    pageRecords.push({ i: p, url, v: spans })
  }
  const monday = Date.UTC(2024, 0, 1)
  return {
    site: {
      format: 'evolution/1',
      id: 'small',
      name: 'A small archive',
      start: extra.start ?? urls.slice(0, 1),
      snapshots: live.map((count, i) => ({
        i,
        date: new Date(monday + i * 7 * 86_400_000).toISOString().slice(0, 10),
        live: count,
      })),
      ...(extra.robots ? { robots: extra.robots } : {}),
    },
    pages: pageRecords,
    versions,
    blocks,
    links,
  }
}

function runFrom(start: number, end: number): number[] {
  return end > start ? [start, end - start] : []
}
