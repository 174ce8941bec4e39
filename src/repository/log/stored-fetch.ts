import type { FetchEntry } from '#learn/entries/fetch-entry.ts'

/** What log and journal have called prediction and views since the first edition. */
interface StoredNames {
  readonly thought?: FetchEntry['prediction']
  readonly clicks?: FetchEntry['views']
}

/** A fetch as log and journal have it. */
export type StoredFetch<F extends FetchEntry = FetchEntry> = Omit<F, 'prediction' | 'views'> &
  StoredNames

export function storedFetch<F extends FetchEntry>(fetch: F): StoredFetch<F> {
  const { prediction, views, ...others } = fetch
  return { ...others, thought: prediction, clicks: views }
}

export function fetchFromStored<S extends StoredNames>({ thought, clicks, ...others }: S) {
  return { ...others, prediction: thought, views: clicks }
}
