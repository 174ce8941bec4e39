/** What there is to say: texts that do not apply, undefined or false, are left out. */
export function said(...texts: readonly (string | false | undefined)[]): string[] {
  return texts.filter((text) => typeof text === 'string')
}
