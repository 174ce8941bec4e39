import { closeSync, existsSync, openSync, readSync, writeSync } from 'node:fs'
import { basename, join } from 'node:path'
import { SettingError } from '#errors/setting-error.ts'
import { matchesUrl } from '#parse/url/site-match.ts'
import { cdxCaptures } from '#repository/warc/cdx/cdx-captures.ts'
import type { CdxjEntry } from '#repository/warc/cdxj.ts'
import { folderUntilExit } from '../open/folder-until-exit.ts'
import { type PatientOptions, patientRequest } from '../push/patient-request.ts'
import { PushError } from '../push/push-target.ts'
import { namedSite } from '../settings/site-rules.ts'

/** No record of a page is longer; a wrong index may say so. */
const MOST_BYTES = 64 << 20

interface GatherOptions extends PatientOptions {
  /** Index files. */
  readonly cdx: readonly string[]
  /** Where the WARC files lie that they name: a folder, or an address as in https://data.commoncrawl.org/. */
  readonly from: string
  /** As in `example.org` or `*.example.org`; all if left out. */
  readonly sites?: readonly string[]
  readonly most: number
  readonly onCapture?: (gathered: number) => void
}

/** A WARC file of what was chosen; it is gone when the program ends. */
interface GatheredCaptures {
  readonly file: string
  readonly captures: number
  /** Captures whose records could not be had. */
  readonly missing: number
}

/** Brings the captures that an index lists into one WARC file: only their records are read, not the files that they lie in. */
export async function gatherCaptures(options: GatherOptions): Promise<GatheredCaptures> {
  const { cdx, from, sites, most, onCapture } = options
  const absent = cdx.find((file) => !existsSync(file))
  if (absent !== undefined) throw new SettingError('cdx', `{cdx} ${absent}: no such file`)
  const matches = sites?.map(namedSite)
  const isWanted = (url: URL) => !matches || matches.some((match) => matchesUrl(match, url))
  const read = /^https?:/.test(from) ? fromAddress(from, options) : fromFolder(from)
  const file = join(folderUntilExit('forager-captures-'), 'captures.warc.gz')
  const out = openSync(file, 'w')
  let [captures, missing] = [0, 0]
  try {
    for await (const entry of cdxCaptures(cdx, { isWanted, most })) {
      const record = entry.length > MOST_BYTES ? undefined : await read(entry)
      if (record) writeSync(out, record)
      if (record) captures++
      else missing++
      onCapture?.(captures)
    }
  } finally {
    closeSync(out)
  }
  return { file, captures, missing }
}

type ReadRecord = (entry: CdxjEntry) => Promise<Uint8Array | undefined>

/** Files lie there as the index names them, or all in one folder. */
function fromFolder(folder: string): ReadRecord {
  return async ({ filename, offset, length }) => {
    const path = [join(folder, filename), join(folder, basename(filename))].find(existsSync)
    if (path === undefined) return undefined
    const file = openSync(path, 'r')
    try {
      const bytes = Buffer.alloc(length)
      return readSync(file, bytes, 0, length, offset) === length ? bytes : undefined
    } finally {
      closeSync(file)
    }
  }
}

/** By requests for a range, one after the other. */
function fromAddress(base: string, options: PatientOptions): ReadRecord {
  return async ({ filename, offset, length }) => {
    const url = new URL(filename, base.endsWith('/') ? base : `${base}/`).href
    const headers = { range: `bytes=${offset}-${offset + length - 1}` }
    const answer = await patientRequest(url, () => ({ headers }), options).catch((error) => {
      if (error instanceof PushError && error.isRefusal) return undefined
      throw error
    })
    if (answer?.status !== 206) {
      await answer?.body?.cancel() // it would be the whole file
      return undefined
    }
    const bytes = await answer.bytes()
    return bytes.length === length ? bytes : undefined
  }
}
