import { beforeEach, describe, expect, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import type { FetchOutcome, PageOutcome } from '../entries/outcome.ts'
import { releaseDuplicates } from './enact.ts'
import { learnFrom } from './learn-from.ts'

const anywhere = () => undefined
const text = (seed: number) =>
  Array.from({ length: 80 }, (_, i) => `w${(i * 7919 + seed * 104_729) % 5003}`).join(' ')

let frontier: Frontier
let time: number
beforeEach(() => {
  frontier = new Frontier()
  time = 100
})

function attempt(url: string) {
  return { id: frontier.add(url, 'link', 1, time), url, at: ++time, ms: 1, status: 200, bytes: 1 }
}

/** Fetches a page with the text of that number, and says what page stands for it. */
function fetched(url: string, seed: number, more: Partial<PageOutcome['page']> = {}) {
  const page = { form: 'page' as const, title: 'T', text: text(seed), links: [], ...more }
  const outcome: PageOutcome = {
    ...{ kind: 'page', ...attempt(url), contentHash: `${seed}`.padEnd(16, 'a') },
    page: { noindex: false, nofollow: false, ...page },
  }
  const learnt = learnFrom(outcome, frontier, anywhere)
  releaseDuplicates([{ url: outcome.id, changed: learnt.changed }], frontier)
  const { duplicateOf, changed } = learnt
  const original = duplicateOf === undefined ? undefined : frontier.urls.urlOf(duplicateOf)
  return { changed, original }
}

/** A fetch that brings no page; at the end of its cycle duplicates are released. */
function lost(url: string, kind: 'gone' | 'denied' | 'unreadable' | 'redirect') {
  const outcome = { kind, ...attempt(url), target: `${url}-now`, reason: '' } as FetchOutcome
  const { changed } = learnFrom(outcome, frontier, anywhere)
  releaseDuplicates([{ url: outcome.id, changed }], frontier)
}

const waiting = () => Array.from(frontier.unfetched(1e9), (url) => frontier.urls.urlOf(url))

const [A, B, C] = ['https://a.org/a', 'https://a.org/b', 'https://a.org/c']

describe('a page that moves', () => {
  test('stands for its text at its new address', () => {
    fetched(A, 1)
    lost(A, 'redirect')
    expect(fetched(`${A}-now`, 1)).toEqual({ changed: true, original: undefined })
  })

  test('and has left its text to another page says something else at its old address', () => {
    fetched(A, 1)
    fetched(A, 2)
    expect(fetched(B, 1).original).toBeUndefined()
  })
})

describe('a duplicate', () => {
  test.each(['gone', 'denied', 'unreadable', 'redirect'] as const)(
    'is fetched anew when its original is %s, and stands for the text',
    (kind) => {
      fetched(A, 1)
      expect(fetched(B, 1).original).toBe(A)
      lost(A, kind)
      expect(waiting()).toContain(B)
      expect(fetched(B, 1)).toEqual({ changed: true, original: undefined })
      expect(fetched(C, 1).original).toBe(B)
    },
  )

  test('stays one while its original says the same', () => {
    fetched(A, 1)
    fetched(B, 1)
    expect(fetched(B, 1)).toEqual({ changed: false, original: undefined })
    expect(waiting()).toEqual([])
  })

  test('that is as it was is news when its original has changed', () => {
    fetched(A, 1)
    fetched(B, 1)
    fetched(A, 2)
    expect(fetched(B, 1)).toEqual({ changed: true, original: undefined })
    expect(fetched(B, 1).changed).toBe(false)
  })

  test('is none of what has become a feed', () => {
    fetched(A, 1)
    fetched(A, 2, { form: 'feed' })
    expect(fetched(B, 1).original).toBeUndefined()
  })

  test.each([{ noindex: true }, { unavailableAfter: 1e9 }])(
    'that may be shown is none of a page that may not, or only for some time: %o',
    (more) => {
      fetched(A, 1, more)
      expect(fetched(B, 1).original).toBeUndefined()
      expect(fetched(C, 1, more).original).toBe(B)
    },
  )
})

describe('what an original stood for that is not shown any more', () => {
  test('is shown again: its duplicates, and pages that name it as their better address', () => {
    const D = 'https://a.org/d'
    fetched(A, 1)
    expect(fetched(B, 1).original).toBe(A)
    expect(fetched(C, 2, { canonical: A }).original).toBe(A)
    expect(fetched(D, 3, { canonical: A, noindex: true }).original).toBe(A)
    fetched(A, 4, { noindex: true })
    expect(waiting()).toEqual([B, C])
    expect(fetched(B, 1).original).toBeUndefined()
    expect(fetched(C, 2, { canonical: A }).original).toBeUndefined()
    expect(frontier.duplicates.notedOriginal(frontier.add(D, 'link', 1, time))).toBe(0)
    fetched(A, 5, { noindex: true })
    expect(waiting()).toEqual([])
  })

  test('is shown though that is itself the duplicate of a page that nobody sees', () => {
    fetched(A, 1, { noindex: true })
    expect(fetched(C, 2, { canonical: B }).original).toBe(B)
    expect(fetched(B, 3, { canonical: A, noindex: true }).original).toBe(A)
    expect(waiting()).toEqual([C])
    expect(fetched(C, 2, { canonical: B }).original).toBeUndefined()
  })

  test('is shown if its better address turns out to be a feed', () => {
    expect(fetched(A, 1, { canonical: B }).original).toBe(B)
    fetched(B, 2, { form: 'feed' })
    expect(waiting()).toEqual([A])
    expect(fetched(A, 1, { canonical: B }).original).toBeUndefined()
  })
})

describe('a page that only leads on at once', () => {
  const stub = { text: 'Redirecting you to the new address', refreshTo: B }

  test('is no result of its own, unless it leads nowhere', () => {
    expect(fetched(A, 1, stub).original).toBe(B)
    lost(B, 'gone')
    expect(fetched(A, 1, stub).original).toBeUndefined()
  })

  test('is one if it has something to say', () => {
    expect(fetched(A, 1, { refreshTo: B }).original).toBeUndefined()
  })
})

describe('a canonical address', () => {
  test('stands for the page as long as nothing speaks against it', () => {
    expect(fetched(A, 1, { canonical: B }).original).toBe(B)
    expect(fetched(B, 1).original).toBeUndefined()
    expect(waiting()).toEqual([])
  })

  test.each(['gone', 'redirect'] as const)('that is %s is void', (kind) => {
    fetched(A, 1, { canonical: B })
    lost(B, kind)
    expect(waiting()).toContain(A)
    expect(fetched(A, 1, { canonical: B })).toEqual({ changed: true, original: undefined })
  })

  test('that is void sets free whatever named it, once for each text', () => {
    const D = 'https://a.org/d'
    for (const [url, seed] of [
      [A, 1],
      [C, 2],
      [D, 1],
    ] as const)
      fetched(url, seed, { canonical: B })
    lost(B, 'gone')
    expect(waiting()).toEqual([A, C])
    for (const [url, seed] of [
      [A, 1],
      [C, 2],
    ] as const)
      expect(fetched(url, seed, { canonical: B }).original).toBeUndefined()
    expect(fetched(D, 1, { canonical: B })).toEqual({ changed: false, original: undefined })
  })

  test('that fails every time, or that robots.txt forbids, is void', () => {
    fetched(A, 1, { canonical: B })
    const failure = () => ({ kind: 'failed', ...attempt(B), reason: '', sent: true }) as const
    for (let tries = 0; tries < 3; tries++) learnFrom(failure(), frontier, anywhere)
    expect(fetched(A, 2, { canonical: B }).original).toBeUndefined()
    learnFrom({ kind: 'disallowed', ...attempt(C), rule: '' }, frontier, anywhere)
    expect(fetched(A, 3, { canonical: C }).original).toBeUndefined()
  })

  test('that leads back, directly or by others, is void', () => {
    expect(fetched(A, 1, { canonical: B }).original).toBe(B)
    expect(fetched(B, 2, { canonical: C }).original).toBe(C)
    expect(fetched(C, 3, { canonical: A }).original).toBeUndefined()
  })

  test('that is the page without its encryption is void', () => {
    expect(fetched(A, 1, { canonical: A.replace('https', 'http') }).original).toBeUndefined()
  })
})
