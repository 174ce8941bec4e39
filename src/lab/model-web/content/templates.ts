import { mixHash } from '#numeric/hash.ts'
import type { Host, Section } from '../skeleton/hosts.ts'
import type { ModelWeb } from '../skeleton/model-web.ts'

const MENU_LENGTH = 12
const REDESIGNS_PER_WEEK = 0.003

/** The sections a host's menu shows in a week. */
export function menuOf(host: Host, week: number): Section[] {
  return host.sections
    .filter((section) => section.hub !== host.home && section.birth <= week && week < section.end)
    .slice(0, MENU_LENGTH)
}

/**
 * For each host and week, at host × weeks + week: the week since when its template has been what it
 * is. It changes with the menu, and in a redesign.
 */
export function templateWeeks(web: Pick<ModelWeb, 'seed' | 'weeks' | 'hosts'>): Uint16Array {
  const { weeks, hosts, seed } = web
  const since = new Uint16Array(hosts.length * weeks)
  for (const host of hosts) {
    let menu = ''
    let current = 0
    for (let week = 0; week < weeks; week++) {
      const shown = menuOf(host, week)
        .map(({ id }) => id)
        .join()
      const redesign = mixHash(mixHash(seed, host.id), 7000 + week) / 2 ** 32 < REDESIGNS_PER_WEEK
      if (shown !== menu || redesign) current = week
      menu = shown
      since[host.id * weeks + week] = current
    }
  }
  return since
}
