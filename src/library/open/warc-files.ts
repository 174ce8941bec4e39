import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import type { CrawlState } from '#crawl/plan-cycle.ts'
import { type Fetcher, handedOn, type KeptWith } from '#crawl/ports.ts'
import { SettingError } from '#errors/setting-error.ts'
import type { WarcPlace } from '#learn/entries/fetch-entry.ts'
import { makeFolder } from '#repository/make-folder.ts'
import type { WarcSink } from '#repository/state/warc-sink.ts'
import type { WarcInfo } from '#repository/warc/write/warc-records.ts'
import { WarcWriter } from '#repository/warc/write/warc-writer.ts'
import type { KeepingWorker } from '#repository/worker/worker-program.ts'
import { identityOf } from '../settings/identity.ts'
import type { Settings } from '../settings/settings.ts'
import { version } from '../settings/version.ts'

/** The WARC files of a crawl: a place for exchanges, and what must be done at the end. */
export interface OpenWarcs {
  readonly sink: WarcSink
  /** What workers need to keep exchanges themselves. */
  readonly forWorkers: KeepingWorker
  /** What of a request's URL goes into their files. */
  keptWith(url: string): Pick<KeptWith, 'isSeed' | 'original'>
  /** Appends records that workers on other machines have made; tells where. */
  appendPacked(records: Uint8Array): WarcPlace
  /** Bytes of a half-written record that an earlier run left, now cut off. */
  readonly cutBytes: number
  close(): Promise<void>
}

/**
 * Opens or makes the WARC files of a crawl, and repairs what a kill left there. `lastOffsets` tells, by file, where the last
 * answer lies that its tables count on.
 */
export async function openWarcs(
  settings: Settings,
  isSeed: (url: string) => boolean,
  lastOffsets: ReadonlyMap<string, number>,
): Promise<OpenWarcs> {
  const { dir, warcDir = join(dir, 'warc'), warcRollover } = settings
  mustBeWritable(warcDir)
  const info = warcInfoOf(settings)
  const options = { rolloverBytes: warcRollover, info }
  const writer = await WarcWriter.open(warcDir, { ...options, tables: { dir, lastOffsets } })
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
      note: ({ own, robots }) => {
        for (const record of robots) writer.note(record)
        if (own) writer.note(own)
        return own && { file: own.filename, offset: own.offset }
      },
      sync: () => writer.sync(),
    },
    forWorkers: { warcDir, options },
    keptWith: (url) => ({ isSeed: isSeed(url), original: writer.lastOf(url) }),
    appendPacked: (records) => writer.appendPacked(records),
    cutBytes: writer.opened.cutBytes,
    close: () => writer.close(),
  }
}

/** What WARC files say of the crawl. */
export function warcInfoOf(settings: Settings): WarcInfo {
  const { userAgent } = identityOf(settings)
  return {
    ...{ software: `Forager/${version}`, userAgent },
    ...{ contact: settings.contact, robots: 'classic' },
  }
}

/** Complains at once about a folder that nothing can be written into. */
function mustBeWritable(warcDir: string): void {
  try {
    makeFolder(warcDir)
    accessSync(warcDir, constants.W_OK)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOSPC') throw cause
    const reason = `{warcDir}: ${warcDir} cannot be written (${code}); choose another place`
    throw new SettingError('warcDir', reason, { cause })
  }
}

/** A fetcher whose workers write WARC files: each request tells them what the crawl knows of it. */
export function notedForWarc(
  fetcher: Fetcher,
  { keptWith }: Pick<OpenWarcs, 'keptWith'>,
  { forecasts }: Pick<CrawlState, 'forecasts'>,
): Fetcher {
  return {
    ...handedOn(fetcher),
    post: ({ requests, sends }) => {
      const noted = requests.map((request) => {
        const { purpose, predictedGain: gain } = forecasts.of(request.id) ?? {}
        return { ...request, keptWith: { ...keptWith(request.url), purpose, gain } }
      })
      fetcher.post({ requests: noted, sends })
    },
  }
}
