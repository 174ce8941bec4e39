import { type Command, InvalidArgumentError, Option } from 'commander'
import { withNames } from '#errors/setting-error.ts'
import type { CrawlOptions } from '#library/settings/crawl-options.ts'
import {
  DEFAULTS,
  groupOf,
  SETTING_GROUPS,
  SETTINGS,
  type Setting,
  type SettingName,
  type Settings,
} from '#library/settings/settings.ts'
import { checkedPolicy } from '#policy/registry/policy-name.ts'
import { flagOf } from './complaint.ts'
import { readConfig } from './config-file.ts'

/** Settings that mean nothing to one of the two commands that crawl. */
const NOT_FOR: Readonly<Record<'crawl' | 'run', (name: SettingName) => boolean>> = {
  crawl: (name) => groupOf(SETTINGS[name].key) === 'service',
  run: (name) => name === 'budget' || groupOf(SETTINGS[name].key) === 'archive',
}

/** Gives a command `--config` and the flags of these settings, or of all that mean something to a crawl or a service. */
export function addSettings(
  command: Command,
  names: readonly SettingName[] | 'crawl' | 'run',
): Command {
  const all = Object.keys(SETTINGS) as SettingName[]
  const isAll = names === 'crawl' || names === 'run'
  const chosen = isAll ? all.filter((name) => !NOT_FOR[names](name)) : names
  for (const name of chosen) {
    const option = optionOf(name, isAll)
    if (option) command.addOption(option)
  }
  return command
    .option(
      '--config <file>',
      'read settings from this file (default: forager.config.json, if there is one)',
    )
    .option('--no-config', 'read settings from no file')
}

/** The values to go by, and where they are from. */
export interface ReadSettings {
  readonly settings: Settings
  /** The names of those that a flag or the config file gave. */
  readonly given: ReadonlySet<string>
  readonly configFile?: string
}

/** All settings of a command line: flags win over the config file, it wins over defaults. */
export function settingsOf(command: Command): ReadSettings {
  const options = command.opts()
  const config = readConfig(options.config)
  const flags = Object.keys(options).filter(
    (name) => name in SETTINGS && command.getOptionValueSource(name) === 'cli',
  )
  const ofFlags = Object.fromEntries(flags.map((name) => [name, options[name]]))
  const settings = { ...DEFAULTS, ...config.settings, ...ofFlags }
  // Names of a user's own policies are known once the files are read.
  if (settings.policyFile === undefined) checkedPolicy(settings.policy)
  return {
    settings,
    given: new Set([...flags, ...Object.keys(config.settings)]),
    configFile: config.file,
  }
}

/** A setting's flag as commander takes it, `--budget <n>`; undefined if it has none. What is on is turned off by one. */
export function flagText(name: SettingName): string | undefined {
  const { value, default: fallback }: Setting<unknown> = SETTINGS[name]
  if (value === undefined) return undefined
  const flag = flagOf(fallback === true ? `no-${name}` : name)
  return value === '' ? flag : `${flag} ${value}`
}

/** What was said, as the library takes it. */
export function optionsOf({ settings, given, configFile }: ReadSettings): CrawlOptions {
  const ours = [
    'seedUrls',
    'seeds',
    'log',
    'logLevel',
    'metricsPort',
    'metricsHost',
    'serve',
    'serveHost',
    'control',
    'controlActions',
    'hearPort',
    'hearHost',
    'callback',
  ]
  const named = Object.entries(settings).filter(([name]) => given.has(name) && !ours.includes(name))
  const { seedUrls, seeds } = settings
  const files = { seedsFile: seeds, settingsFile: configFile }
  return { ...Object.fromEntries(named), seeds: seedUrls, ...files }
}

function optionOf(name: SettingName, inGroups: boolean): Option | undefined {
  const setting: Setting<unknown> = SETTINGS[name]
  const { kind, help, key } = setting
  const flag = flagText(name)
  if (flag === undefined) return undefined
  const option = new Option(flag, withNames(`${help}${defaultText(setting)}`, flagOf))
  if (inGroups) option.helpGroup(`${SETTING_GROUPS[groupOf(key)]}:`)
  // A flag without a value is read by commander itself.
  return flag.includes('<')
    ? option.argParser((text: string, before: unknown) => {
        const value = kind.fromText(text)
        if (value === undefined)
          throw new InvalidArgumentError(`It must be ${kind.form}.${kind.hint?.(text) ?? ''}`)
        return kind.repeats ? [...((before as unknown[]) ?? []), ...(value as unknown[])] : value
      })
    : option
}

/** What happens without the flag, in brackets; nothing when that needs no saying. */
function defaultText({ default: value, otherwise, kind, help }: Setting<unknown>): string {
  if (typeof value === 'boolean') return ''
  if (value === undefined)
    return otherwise === undefined || /^(none|no limit|all)/.test(otherwise)
      ? ''
      : ` (default: ${otherwise})`
  const shown = valueText(kind, value)
  return help.endsWith(`default: ${shown}`) ? '' : ` (default: ${shown})`
}

/** A value as people would write it. */
export function valueText({ form }: Setting<unknown>['kind'], value: unknown): string {
  if (form.startsWith('a size')) return sizeText(Number(value))
  return form.startsWith('a time') ? timeText(Number(value)) : String(value)
}

/** 86400 → "1d", 90 → "90s". */
export function timeText(seconds: number): string {
  for (const [unit, size] of [
    ['d', 86_400],
    ['h', 3600],
    ['m', 60],
  ] as const)
    if (seconds % size === 0) return `${seconds / size}${unit}`
  return `${seconds}s`
}

/** 10485760 → "10MiB", 1000000000 → "1GB". */
export function sizeText(bytes: number): string {
  for (const [unit, size] of [
    ['GiB', 2 ** 30],
    ['MiB', 2 ** 20],
    ['GB', 1e9],
    ['MB', 1e6],
  ] as const)
    if (bytes >= size && bytes % size === 0) return `${bytes / size}${unit}`
  return String(bytes)
}
