/** The environment variable that has the secret of webhooks, if no file does. */
export const WEBHOOK_VARIABLE = 'FORAGER_WEBHOOK_SECRET'

const SCHEMES = ['http:', 'https:']

/** Whether pages can be pushed to an address. */
export function isPushAddress(text: string): boolean {
  return URL.canParse(text) && SCHEMES.includes(new URL(text).protocol)
}
