import { type Remedy, SettingError, withNames } from '#errors/setting-error.ts'
import { UsageError } from '../../text/usage-error.ts'

/** What a command does about it. */
const REMEDIES: Readonly<Record<Remedy['kind'], (dir: string) => string>> = {
  'begin a crawl': (dir) => `, as in forager crawl https://example.org/ --dir ${dir}`,
  repair: (dir) => `: forager check --dir ${dir} --repair mends it`,
}

/** What the command line adds to the reason. */
const ASIDES: Readonly<Record<string, string>> = {
  contact: ' (or "identity": {"contact": …} in forager.config.json)',
}

/** The user's mistake, if it is one, in the words of the command line: settings are flags, and commands help. */
export function mistakeText(error: unknown): string | undefined {
  if (error instanceof UsageError) return error.message
  return error instanceof SettingError ? settingText(error) : undefined
}

function settingText({ setting, reason, remedy }: SettingError): string {
  const help = remedy ? REMEDIES[remedy.kind](remedy.dir) : ''
  return `${withNames(reason, flagOf)}${help}${ASIDES[setting] ?? ''}`
}

/** The flag of a setting: `--max-depth` of `maxDepth`, `--no-index` of `noIndex`. */
export function flagOf(setting: string): string {
  return `--${setting.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
