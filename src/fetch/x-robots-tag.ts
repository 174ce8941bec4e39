export interface PageDirectives {
  readonly noindex: boolean
  readonly nofollow: boolean
}

/** Directives with a colon of their own; any other word before a colon names an agent. */
const WITH_VALUE = /^(unavailable_after|max-snippet|max-image-preview|max-video-preview)$/

/** What the X-Robots-Tag headers ask of this agent. */
export function readXRobotsTag(
  header: string | readonly string[] | undefined,
  agentToken: string,
): PageDirectives {
  let noindex = false
  let nofollow = false
  for (const line of header === undefined ? [] : [header].flat()) {
    let forUs = true // until the line names an agent
    for (const part of line.toLowerCase().split(',')) {
      const colon = part.indexOf(':')
      const name = part.slice(0, Math.max(colon, 0)).trim()
      if (WITH_VALUE.test(name)) continue
      if (colon >= 0) forUs = name === agentToken.toLowerCase() || name === '*'
      const directive = part.slice(colon + 1).trim()
      if (!forUs) continue
      if (directive === 'noindex' || directive === 'none') noindex = true
      if (directive === 'nofollow' || directive === 'none') nofollow = true
    }
  }
  return { noindex, nofollow }
}
