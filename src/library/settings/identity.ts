import { SettingError } from '#errors/setting-error.ts'
import { isLoopback, type ResolveRule, targetOf } from '#fetch/wire/resolve-rules.ts'
import { version } from './version.ts'

const MAIL = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i

/** How a crawler introduces itself. */
interface Identity {
  readonly userAgent: string
  /** The name robots.txt knows us by. */
  readonly agentToken: string
  /** A mail address, for the From header. */
  readonly from?: string
}

/** Whether people could be reached there: a mail address or a web page. */
export function isContact(text: string): boolean {
  return MAIL.test(text) || isWebPage(text)
}

function isWebPage(text: string): boolean {
  const url = /^https?:\/\/[\x21-\x7e]+$/i.test(text) ? URL.parse(text) : null
  return url?.hostname.includes('.') === true && url.username === '' && url.password === ''
}

/** Who we say we are: a site owner must be able to find out, and to write. */
export function identityOf(options: { contact?: string; userAgent?: string }): Identity {
  const { contact, userAgent = `Forager/${version}` } = options
  const names = contact === undefined || userAgent.includes(contact)
  return {
    userAgent: names ? userAgent : `${userAgent} (+${contact})`,
    agentToken: /^[a-z_-]+/i.exec(userAgent)?.[0].toLowerCase() ?? 'forager',
    from: contact !== undefined && MAIL.test(contact) ? contact : undefined,
  }
}

/** Asks for a contact, unless there are seeds and all of them lie on this machine: then nobody else may be asked. */
export function requireContact(
  { contact, proxy }: { readonly contact?: string; readonly proxy?: string },
  resolve: readonly ResolveRule[],
  seeds: readonly string[],
): void {
  if (contact !== undefined || staysHere(resolve, proxy === undefined ? seeds : [])) return
  throw new SettingError(
    'contact',
    'live crawls must say whom to write to: add {contact} you@example.org or https://your.site/bot',
  )
}

function staysHere(rules: readonly ResolveRule[], seeds: readonly string[]): boolean {
  if (rules.some(({ pattern }) => pattern === '*'))
    return rules.every(({ address }) => isLoopback(address))
  const isHere = (url: string) => isLoopback(targetOf(rules, new URL(url)).address)
  return seeds.length > 0 && seeds.every(isHere)
}
