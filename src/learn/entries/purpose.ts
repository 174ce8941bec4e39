/** What a fetch is for: a page never fetched, a copy gone stale, or links not seen yet. */
export type Purpose = 'acquire' | 'refresh' | 'discover'

export const PURPOSES: readonly Purpose[] = ['acquire', 'refresh', 'discover']

/** What a fetch is expected to gain, by what it is for. */
export type Parts = Readonly<Record<Purpose, number>>
