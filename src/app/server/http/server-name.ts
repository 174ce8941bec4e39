import { isLoopback } from '#fetch/wire/resolve-rules.ts'

/**
 * Whether a request's `Host` names this server. One that listens on loopback has local names only, against DNS
 * rebinding: a page elsewhere could point a name of its own at this machine, and read what we answer.
 */
export function goesBy(listensOn: string, hostHeader = ''): boolean {
  const isLocal = isLoopback(listensOn) || listensOn === 'localhost'
  return !isLocal || isLocalName(hostHeader)
}

function isLocalName(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/^\[|\]$/g, '')
  return name === 'localhost' || name.endsWith('.localhost') || isLoopback(name)
}
