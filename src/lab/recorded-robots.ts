import { hostOf } from '#parse/canonical-url.ts'
import { isAllowed, parseRobots, type Robots, type Verdict } from '#parse/robots-txt.ts'
import type { RecordedWeb } from './recorded-web.ts'

/** The product token our crawler is known by in robots.txt. */
const AGENT_TOKEN = 'forager'

/** Says whether the recorded web's robots.txt files let us fetch a URL. */
export function recordedRobots(web: RecordedWeb): (url: string) => Verdict {
  const byHost = new Map<string, Robots>()
  return (url) => {
    const host = hostOf(url)
    let robots = byHost.get(host)
    if (!robots) {
      robots = parseRobots(web.robotsFor(host) ?? '')
      byHost.set(host, robots)
    }
    return isAllowed(robots, AGENT_TOKEN, url)
  }
}
