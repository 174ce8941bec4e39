import { join } from 'node:path'
import { identityOf } from '#library/settings/identity.ts'
import type { Settings } from '#library/settings/settings.ts'
import { version } from '#library/settings/version.ts'
import type { CrawlStore, WarcSink } from '#repository/state/crawl-store.ts'
import { WarcWriter } from '#repository/warc/warc-writer.ts'
import { mustBeWritableFolder } from '../terminal/write-result.ts'

/** The WARC files of a crawl: a place for exchanges, and what must be done at the end. */
export interface OpenWarcs {
  readonly sink: WarcSink
  /** Bytes of a half-written record that an earlier run left, now cut off. */
  readonly cutBytes: number
  close(): Promise<void>
}

/** Opens or makes the WARC files of a crawl, and repairs what a kill left there. */
export async function openWarcs(
  settings: Settings,
  isSeed: (url: string) => boolean,
  store: CrawlStore,
): Promise<OpenWarcs> {
  const { userAgent } = identityOf(settings)
  const { contact, dir, warcDir = join(dir, 'warc'), warcRollover } = settings
  mustBeWritableFolder('--warc-dir', warcDir)
  const writer = await WarcWriter.open(warcDir, {
    rolloverBytes: warcRollover,
    tables: { dir, lastOffsets: await store.lastWarcOffsets() },
    info: {
      software: `Forager/${version}`,
      userAgent,
      ...(contact !== undefined && { contact }),
      robots: 'classic',
    },
  })
  return {
    sink: {
      append: (exchange, { outcome, purpose, predictedGain }) =>
        writer.append(exchange, {
          url: outcome.url,
          isSeed: isSeed(outcome.url),
          purpose,
          gain: predictedGain,
          fetchTimeMs: outcome.ms,
        }),
      appendRobots: ({ url, exchange }) => writer.append(exchange, { url, purpose: 'robots' }),
      sync: () => writer.sync(),
    },
    cutBytes: writer.opened.cutBytes,
    close: () => writer.close(),
  }
}
