import type { HostTrust } from '#crawl/ports.ts'

export interface Validators {
  readonly etag?: string
  readonly lastModified?: string
}

/** How to ask for a page of which we have a copy. */
export interface Question {
  /** `probe` asks with a validator that fits no copy: only a server that does not look answers 304. */
  readonly kind: 'known' | 'probe' | 'none'
  readonly validators?: Validators
}

/** What came of it; `stale` is new content under the very validator that our copy has. */
export type Reply = 'unchanged' | 'same' | 'changed' | 'stale'

const PROBE: Validators = {
  etag: '"forager-asks-whether-you-look"',
  lastModified: 'Thu, 01 Jan 1970 00:00:00 GMT',
}
/** Sites are rebuilt: after so long a liar gets another chance. */
const FORGIVEN_SECONDS = 30 * 86_400
/** One may be a page that changes with every look (an advert, a clock); several are a habit. */
const MAX_STALE = 3
const NEVER_AFTER = 5
const MAX_304S_BETWEEN_PROBES = 1_000

/**
 * Learns by host whether a 304 can be believed. The first 304 is followed by a probe, later ones come
 * ever more rarely. A probe costs what a plain fetch costs, and brings the page like one.
 */
export class ValidatorsTrust {
  readonly #hosts = new Map<string, HostTrust>()

  constructor(known: Iterable<HostTrust> = []) {
    for (const trust of known) this.#hosts.set(trust.host, trust)
  }

  /** What somebody else has learnt of a host. */
  take(trust: HostTrust): void {
    this.#hosts.set(trust.host, trust)
  }

  /** How to ask this host, given what our copy came with. */
  ask(host: string, validators: Validators | undefined, now: number): Question {
    if (!validators || (validators.etag === undefined && validators.lastModified === undefined))
      return { kind: 'none' }
    if (this.isDistrusted(host, now)) return { kind: 'none' }
    const trust = this.#hosts.get(host)
    if (!trust || trust.unchangedSinceProbe < patience(trust.probes))
      return { kind: 'known', validators }
    // Only of the kind the host knows: others it may rightly ignore.
    return {
      kind: 'probe',
      validators:
        validators.etag === undefined ? { lastModified: PROBE.lastModified } : { etag: PROBE.etag },
    }
  }

  /** Takes in what came of a question. Gives false when the answer is not to be believed. */
  learn(host: string, asked: Question['kind'], reply: Reply, now: number): boolean {
    const before = this.#hosts.get(host) ?? unknown(host)
    const { distrustedAt: _, ...clean } = before
    const trust = this.isDistrusted(host, now)
      ? before
      : { ...clean, ...counted(clean, asked, reply) }
    const isLie = asked === 'probe' && reply === 'unchanged'
    const isLiar = isLie || trust.stale >= MAX_STALE
    this.#hosts.set(host, isLiar ? { ...trust, stale: 0, distrustedAt: now } : trust)
    return !isLie
  }

  /** True while the host's 304s are not asked for, because they could not be believed. */
  isDistrusted(host: string, now: number): boolean {
    const at = this.#hosts.get(host)?.distrustedAt
    return at !== undefined && now - at < FORGIVEN_SECONDS
  }

  /** True for a host that had every chance to answer 304 and never did. Asking on costs nothing. */
  neverAnswers304(host: string): boolean {
    const trust = this.#hosts.get(host)
    return trust !== undefined && trust.unchanged === 0 && trust.same >= NEVER_AFTER
  }

  /** All that is known, to be kept. */
  entries(): HostTrust[] {
    return [...this.#hosts.values()]
  }
}

function unknown(host: string): HostTrust {
  return { host, unchanged: 0, unchangedSinceProbe: 0, same: 0, changed: 0, stale: 0, probes: 0 }
}

function counted(trust: HostTrust, asked: Question['kind'], reply: Reply): Partial<HostTrust> {
  const probed = asked === 'probe' ? { probes: trust.probes + 1, unchangedSinceProbe: 0 } : {}
  switch (reply) {
    case 'unchanged':
      if (asked === 'probe') return probed
      return {
        unchanged: trust.unchanged + 1,
        unchangedSinceProbe: trust.unchangedSinceProbe + 1,
      }
    case 'same':
      return asked === 'known' ? { same: trust.same + 1 } : probed
    case 'changed':
      // It does notice changes: old suspicions fade.
      return { ...probed, changed: trust.changed + 1, stale: Math.max(trust.stale - 1, 0) }
    case 'stale':
      return { ...probed, stale: trust.stale + 1 }
  }
}

/** 304s that are believed until the next probe: 1, 16, 64, 256, then always 1,000. */
function patience(probes: number): number {
  return probes === 0 ? 1 : Math.min(4 ** (probes + 1), MAX_304S_BETWEEN_PROBES)
}
