import { existsSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import type { Kind } from '#library/settings/setting-kinds.ts'
import {
  SETTINGS,
  type Setting,
  type SettingName,
  type Settings,
} from '#library/settings/settings.ts'
import { editDistance } from '#numeric/edit-distance.ts'
import { isJsonObject, shownJson } from '#parse/text/json-value.ts'
import { plainText } from '#parse/text/plain-text.ts'
import { isPolicyName } from '#policy/registry/policy-name.ts'
import { UsageError } from '../../text/usage-error.ts'
import { withoutCredentials } from '../../text/without-credentials.ts'

export const CONFIG_FILE = 'forager.config.json'

/** What a config file sets, and which file it was. */
interface Config {
  readonly file?: string
  readonly settings: Partial<Settings>
}

/** The file the user named, or `forager.config.json` where we are, or nothing; `false` is for nothing at all. */
export function readConfig(named: string | false | undefined): Config {
  if (named === false || (named === undefined && !existsSync(CONFIG_FILE))) return { settings: {} }
  const file = named ?? CONFIG_FILE
  return { file, settings: settingsIn(parsed(file), file) }
}

/** The settings that a config's JSON states; anything it does not know is a mistake. */
export function settingsIn(json: unknown, file: string): Partial<Settings> {
  if (!isJsonObject(json))
    throw new UsageError(`${file} must hold one JSON object: { "budget": 500 }`)
  const found: Record<string, unknown> = {}
  for (const [key, value] of leavesOf(json, '')) {
    if (key === '$schema') continue
    const name = NAMES.get(key)
    if (name === undefined) throw new UsageError(`${file}: ${unknownKey(key)}`)
    found[name] = settingValue(SETTINGS[name], value, file)
  }
  // A policy of the user's own must come with its file.
  const { policy, policyFile } = found as Partial<Settings>
  if (policy !== undefined && policyFile === undefined && !isPolicyName(policy))
    throw wrongValue(SETTINGS.policy, policy, file)
  return found as Partial<Settings>
}

const NAMES = new Map(Object.entries(SETTINGS).map(([name, { key }]) => [key, name as SettingName]))
const GROUPS = new Set(
  [...NAMES.keys()].flatMap((key) => (key.includes('.') ? [key.split('.')[0]] : [])),
)

function parsed(file: string): unknown {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const what = code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code})`
    throw new UsageError(`--config ${file}: ${what}`, { cause })
  }
  if (text === '') return {} // as /dev/null is
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    const what = jsonFault((error as Error).message, text)
    throw new UsageError(
      `${file} is not valid JSON: ${plainText(what)} (comments and trailing commas are not JSON)`,
    )
  }
}

/** What is wrong and where, without the text around it that Node may quote: there may be secrets in it. */
function jsonFault(message: string, text: string): string {
  const quoted = /, (?:\.\.\.)?"(.*)"(?:\.\.\.)? is not valid JSON$/s.exec(message)?.[1]
  if (quoted === undefined) return message
  const line = text.slice(0, text.indexOf(quoted) + quoted.length / 2).split('\n').length
  return `something unexpected near line ${line}`
}

/** Keys with dots and their values; only the known groups are looked into. */
function* leavesOf(json: Record<string, unknown>, prefix: string): Generator<[string, unknown]> {
  for (const [name, value] of Object.entries(json)) {
    const key = prefix + name
    if (name.startsWith('//')) continue // a comment
    if (isJsonObject(value) && GROUPS.has(key)) yield* leavesOf(value, `${key}.`)
    else yield [key, value]
  }
}

function settingValue(setting: Setting<unknown>, json: unknown, file: string): unknown {
  const { kind } = setting
  const value = kind.fromJson(json)
  if (value === undefined) throw wrongValue(setting, json, file)
  if (kind.inFolder) return kind.inFolder(value, dirname(file))
  const moved = kind.path && typeof value === 'string' && !isAbsolute(value)
  return moved ? join(dirname(file), value) : value
}

function wrongValue({ key, kind }: Setting<unknown>, json: unknown, file: string): UsageError {
  const fault = kind.fault?.(json)
  if (fault !== undefined) return new UsageError(`${file}: ${fault}`)
  return new UsageError(
    `${file}: ${key} must be ${kind.form}, not ${shownJson(json, (text) => withoutCredentials(plainText(text)))}${hintAbout(kind, json)}`,
  )
}

function hintAbout(kind: Kind<unknown>, json: unknown): string {
  const hint = typeof json === 'string' ? kind.hint?.(json) : undefined
  return hint ? `. ${plainText(hint)}` : ''
}

/** People forget the group, or write a flag's name; and they mistype. */
function unknownKey(key: string): string {
  const leaf = key.slice(key.lastIndexOf('.') + 1)
  const known = [...NAMES].find(([, name]) => name === leaf)?.[0] ?? nearestKey(key, leaf)
  if (GROUPS.has(key)) return `"${key}" must be an object with ${keysIn(key).join(', ')}`
  const hint = known
    ? `; did you mean "${known}"?`
    : ' (docs/reference/configuration.md lists all keys)'
  const name = key.length > 60 ? `${key.slice(0, 60)}…` : key
  return `there is no setting "${plainText(name)}"${hint}`
}

/** `scope` → `reach`, `include` … */
function keysIn(group: string): string[] {
  const start = `${group}.`
  return [...NAMES.keys()]
    .filter((key) => key.startsWith(start))
    .map((key) => key.slice(start.length))
}

function nearestKey(key: string, leaf: string): string | undefined {
  const slips = [...NAMES.keys()].map((known) => {
    const knownLeaf = known.slice(known.lastIndexOf('.') + 1)
    return { known, count: Math.min(editDistance(key, known), editDistance(leaf, knownLeaf) + 0.5) }
  })
  const best = slips.reduce((a, b) => (b.count < a.count ? b : a))
  return best.count <= Math.max(2.5, leaf.length / 2) ? best.known : undefined
}
