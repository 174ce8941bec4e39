import { closeSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { isDiskFull } from '#library/open/disk-full.ts'
import { LOG_LEVELS } from '#library/settings/settings.ts'
import { makeFolder } from '#repository/make-folder.ts'
import { UsageError } from '../../text/usage-error.ts'
import { withoutCredentials } from '../../text/without-credentials.ts'

type LogLevel = (typeof LOG_LEVELS)[number]

/** Where a crawl writes what happens, for machines. */
export interface CrawlLog {
  /** Adds a line with time, level, event and these fields, unless the level is below what is wanted. */
  write(level: LogLevel, event: string, fields?: Readonly<Record<string, unknown>>): void
  close(): void
}

/** Appends JSON lines to a file; without one, to nowhere. User names and passwords in URLs are left out. */
export function openLog(file: string | undefined, least: LogLevel, now: () => number): CrawlLog {
  if (file === undefined) return { write: () => {}, close: () => {} }
  const leastRank = LOG_LEVELS.indexOf(least)
  const descriptor = openForAppending(file)
  return {
    write(level, event, fields = {}) {
      if (LOG_LEVELS.indexOf(level) < leastRank) return
      const time = new Date(now() * 1000).toISOString()
      const line = JSON.stringify({ time, level, event, ...fields })
      writeSync(descriptor, `${withoutCredentials(line)}\n`)
    },
    close: () => closeSync(descriptor),
  }
}

function openForAppending(file: string): number {
  try {
    makeFolder(dirname(file))
    return openSync(file, 'a')
  } catch (cause) {
    if (isDiskFull(cause)) throw cause
    const { code } = cause as NodeJS.ErrnoException
    throw new UsageError(`--log ${file} cannot be written (${code}): choose another place`, {
      cause,
    })
  }
}
