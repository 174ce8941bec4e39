import { isPublicSuffix } from './registrable-domain.ts'

/** Which URLs an entry of somebody's settings is for. */
export interface SiteMatch {
  /** As it was written. */
  readonly text: string
  readonly scheme?: 'http' | 'https'
  /** As a URL has it. */
  readonly hostname: string
  /** Means the hosts below that name, and not itself. */
  readonly isBelow: boolean
  /** Without one, the usual ports. */
  readonly port?: string
  /** The beginning of paths, without a slash at its end. */
  readonly path: string
}

const USUAL_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/** Reads `docs.example.org`, `*.example.org`, `https://example.org:8443` or `example.org/manual`; or says what is wrong. */
export function parseSiteMatch(text: string): SiteMatch | { readonly fault: string } {
  const parts = /^(?:(https?):\/\/)?(\*\.)?([^/\s]+)(\/\S*)?$/i.exec(text)
  if (!parts) return { fault: 'is no host name, as in docs.example.org' }
  const [, scheme, star, host, path = '/'] = parts
  if (host.includes('@')) return { fault: 'has a user name in it, which belongs into credentials' }
  if (/[*?#]/.test(host + path))
    return { fault: 'may have a star in front only, as in *.example.org' }
  const url = URL.parse(`https://${host}${path}`)
  if (!url || host.endsWith(':')) return { fault: 'is no host name, as in docs.example.org' }
  const { hostname } = url
  if (star && (/^[\d.]+$|^\[/.test(hostname) || isPublicSuffix(hostname)))
    return { fault: `means everybody below ${hostname}: name a domain of your own` }
  const port = /:(\d+)$/.exec(host)?.[1]
  return {
    text,
    ...(scheme && { scheme: scheme.toLowerCase() as SiteMatch['scheme'] }),
    hostname,
    isBelow: star !== undefined,
    ...(port !== undefined && { port: String(Number(port)) }),
    path: url.pathname.replace(/\/+$/, ''),
  }
}

/** Whether a URL is meant, scheme and port included. */
export function matchesUrl(match: SiteMatch, url: URL): boolean {
  if (match.scheme !== undefined && url.protocol !== `${match.scheme}:`) return false
  const isAtPort =
    match.port === undefined
      ? url.port === ''
      : match.port === (url.port || USUAL_PORTS[url.protocol])
  return isAtPort && isNamed(match, url.hostname) && isUnder(match.path, url.pathname)
}

/** Whether a host as a whole is meant, which may have a port in its name. */
export function matchesHost(match: SiteMatch, host: string): boolean {
  const [, hostname, port] = /^(.*?)(?::(\d+))?$/.exec(host)!
  if (match.path !== '' || !isNamed(match, hostname)) return false
  if (port === undefined) return match.port === undefined || /^(80|443)$/.test(match.port)
  return match.port === port
}

/** Of two that mean one URL, which says more about it comes first: the host, then the path, then port and scheme. */
export function bySpecificity(a: SiteMatch, b: SiteMatch): number {
  return (
    Number(a.isBelow) - Number(b.isBelow) ||
    b.hostname.length - a.hostname.length ||
    b.path.length - a.path.length ||
    Number(b.port !== undefined) - Number(a.port !== undefined) ||
    Number(b.scheme !== undefined) - Number(a.scheme !== undefined)
  )
}

function isNamed({ hostname, isBelow }: SiteMatch, name: string): boolean {
  return isBelow ? name.endsWith(`.${hostname}`) : name === hostname
}

function isUnder(path: string, pathname: string): boolean {
  return path === '' || pathname === path || pathname.startsWith(`${path}/`)
}
