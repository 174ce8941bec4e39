import { SettingError } from '#errors/setting-error.ts'

/** One `resolve`: hosts that fit `pattern` are reached at `address:port`. */
export interface ResolveRule {
  /** A host name, `*.suffix` or `*`, in the form URLs write it (lower case, punycode). */
  readonly pattern: string
  /** As a socket wants it: IPv6 without brackets. */
  readonly address: string
  readonly port: number
  /** How to speak there; without it the address decides (see `targetOf`). */
  readonly scheme?: Scheme
}

type Scheme = 'http' | 'https'

/** Where to connect for a URL, and in which protocol. */
export interface Target {
  readonly scheme: Scheme
  readonly address: string
  readonly port: number
  /** True when a rule replaced the URL's own host. */
  readonly replaced: boolean
}

const FORM = `write it as 'HOST=ADDRESS:PORT', for example '*=127.0.0.1:8080' or 'example.org=[::1]:8080'`
const DEFAULT_PORTS: Readonly<Record<Scheme, number>> = { http: 80, https: 443 }

/** The rule that a `resolve` value states. */
export function parseResolveRule(text: string): ResolveRule {
  const parts = /^([^=]+)=(?:(https?):\/\/)?(\[[^\]]+\]|[^:[\]/]+)(?::(\d{1,5}))?\/?$/i.exec(text)
  if (!parts) throw new SettingError('resolve', `{resolve} "${text}" is not understood: ${FORM}`)
  const [, host, schemeText, address, portText] = parts as unknown as string[]
  const scheme = schemeText?.toLowerCase() as Scheme | undefined
  if (portText === undefined && !scheme)
    throw new SettingError('resolve', `{resolve} "${text}" names no port: ${FORM}`)
  const port = portText === undefined ? DEFAULT_PORTS[scheme!] : Number(portText)
  if (port < 1 || port > 65_535)
    throw new SettingError('resolve', `{resolve} "${text}": the port must lie between 1 and 65535`)
  return {
    pattern: hostPattern(host.trim(), text),
    address: hostName(address, text).replace(/^\[|\]$/g, ''),
    port,
    ...(scheme && { scheme }),
  }
}

function hostPattern(host: string, text: string): string {
  if (host === '*') return host
  return host.startsWith('*.') ? `*.${hostName(host.slice(2), text)}` : hostName(host, text)
}

function hostName(host: string, text: string): string {
  const url = URL.parse(`http://${host}/`)
  if (!url || url.port || url.username || url.hostname.includes('*') || url.pathname !== '/')
    throw new SettingError(
      'resolve',
      `{resolve} "${text}": "${host}" is not a host name or address; ${FORM}`,
    )
  return url.hostname
}

/**
 * Where to connect for a URL: an exact rule, else the first wildcard that fits, else its own host.
 * A loopback target without a scheme is spoken to in plain HTTP: it stands in for the real host, and
 * has no certificate for it.
 */
export function targetOf(rules: readonly ResolveRule[], url: URL): Target {
  const own = url.protocol === 'https:' ? 'https' : 'http'
  const rule =
    rules.find(({ pattern }) => pattern === url.hostname) ??
    rules.find(({ pattern }) => fitsWildcard(pattern, url.hostname))
  if (!rule) {
    const address = url.hostname.replace(/^\[|\]$/g, '')
    return { scheme: own, address, port: Number(url.port) || DEFAULT_PORTS[own], replaced: false }
  }
  const scheme = rule.scheme ?? (isLoopback(rule.address) ? 'http' : own)
  return { scheme, address: rule.address, port: rule.port, replaced: true }
}

function fitsWildcard(pattern: string, hostname: string): boolean {
  return pattern === '*' || (pattern.startsWith('*.') && hostname.endsWith(pattern.slice(1)))
}

/** Whether an address is this machine itself. */
export function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || /^127\.\d+\.\d+\.\d+$/.test(address)
}
