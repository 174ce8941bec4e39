/** What else there is to do about a mistake, for a door to say in its own words. */
export type Remedy = { readonly kind: 'begin a crawl' | 'repair'; readonly dir: string }

/**
 * The user's mistake: a value that does not fit, a missing file, a malformed line. It names the setting to change and the
 * reason. In `reason` other settings stand in braces, as in "choose another {dir}": the command line makes flags of them.
 */
export class SettingError extends Error {
  override readonly name: string = 'SettingError'
  readonly setting: string
  readonly reason: string
  readonly remedy?: Remedy

  constructor(
    setting: string,
    reason: string,
    { remedy, ...options }: ErrorOptions & { readonly remedy?: Remedy } = {},
  ) {
    super(withNames(reason), options)
    this.setting = setting
    this.reason = reason
    this.remedy = remedy
  }
}

/** A text whose settings in braces are called as `nameOf` says; as other programs write them if left out. */
export function withNames(text: string, nameOf = asWritten): string {
  return text.replace(/\{([a-z][a-zA-Z]*)\}/g, (_, setting: string) => nameOf(setting))
}

/** `noIndex` stands for what turns `index` off. */
function asWritten(setting: string): string {
  const off = /^no([A-Z])(.*)/.exec(setting)
  return off ? `${off[1].toLowerCase()}${off[2]}: false` : setting
}
