import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { SettingError } from '#errors/setting-error.ts'
import { isJsonObject, shownJson } from '#parse/text/json-value.ts'
import type { SiteRecord } from './format.ts'
import { isWebUrl } from './line-columns.ts'

/** The archive's `site.json`, checked. */
export async function readSite(dir: string): Promise<SiteRecord> {
  const folder = await stat(dir).catch(() => undefined)
  if (!folder)
    throw new SettingError(
      'archive',
      `${dir}: no such folder; an archive is a folder with a site.json`,
    )
  if (!folder.isDirectory())
    throw new SettingError(
      'archive',
      `${dir} is not a folder; an archive is a folder with a site.json`,
    )
  const path = join(dir, 'site.json')
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new SettingError('archive', `${path} cannot be read; is ${dir} an archive?`, { cause })
  })
  let site: unknown
  try {
    site = JSON.parse(text)
  } catch (cause) {
    throw new SettingError('archive', `${path}: not JSON (${(cause as Error).message})`, { cause })
  }
  const wrong = faultOf(site)
  if (wrong) throw new SettingError('archive', `${path}: ${wrong}`)
  return site as SiteRecord
}

/** What is wrong with a site record, or undefined. */
function faultOf(site: unknown): string | undefined {
  if (!isJsonObject(site)) return 'must be a JSON object'
  if (site.format !== 'evolution/1')
    return `format must be "evolution/1", not ${shownJson(site.format)}`
  for (const field of ['id', 'name'])
    if (typeof site[field] !== 'string' || site[field] === '') return `${field} must be a text`
  return faultOfStart(site.start) ?? faultOfSnapshots(site.snapshots) ?? faultOfRobots(site.robots)
}

function faultOfStart(start: unknown): string | undefined {
  if (!Array.isArray(start) || start.length === 0) return 'start must list at least one seed URL'
  const bad = start.find((url) => typeof url !== 'string' || !isWebUrl(url))
  return bad === undefined ? undefined : `start: ${shownJson(bad)} is not an http(s) URL`
}

function faultOfSnapshots(snapshots: unknown): string | undefined {
  if (!Array.isArray(snapshots) || snapshots.length === 0)
    return 'snapshots must list at least one snapshot'
  let last = ''
  for (const [i, snapshot] of snapshots.entries()) {
    const name = `snapshots[${i}]`
    if (!isJsonObject(snapshot)) return `${name} must be an object`
    if (snapshot.i !== i) return `${name}.i must be ${i}, not ${shownJson(snapshot.i)}`
    const { date, live } = snapshot
    if (typeof date !== 'string' || !isDate(date))
      return `${name}.date must be a date like 2024-07-20, not ${shownJson(date)}`
    if (date <= last) return `${name}.date ${date} must be later than ${last}`
    if (!Number.isInteger(live) || (live as number) < 0)
      return `${name}.live must be a number of pages, not ${shownJson(live)}`
    last = date
  }
  return undefined
}

function faultOfRobots(robots: unknown): string | undefined {
  if (robots === undefined) return undefined
  if (!isJsonObject(robots)) return 'robots must be an object of robots.txt texts by host'
  const bad = Object.entries(robots).find(([, text]) => typeof text !== 'string')
  return bad ? `robots[${shownJson(bad[0])}] must be a text` : undefined
}

function isDate(text: string): boolean {
  // Date.parse takes 31 February for 3 March, so the text must come back unchanged.
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}
