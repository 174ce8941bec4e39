/** A log of the search page, as its name says: of a day (UTC), the first or a later part. */
export interface EventFile {
  readonly name: string
  /** As 2026-01-31. */
  readonly day: string
  readonly part: number
}

/** `events-2026-01-31.jsonl`; its later parts are `events-2026-01-31.2.jsonl` and so on. */
export function eventFile(day: string, part = 1): EventFile {
  return { name: `events-${day}${part > 1 ? `.${part}` : ''}.jsonl`, day, part }
}

/** The logs among these names, oldest first. */
export function eventFilesIn(names: readonly string[]): EventFile[] {
  const files = names.flatMap((name) => {
    const [, day, part = '1'] = /^events-(\d{4}-\d\d-\d\d)(?:\.(\d{1,9}))?\.jsonl$/.exec(name) ?? []
    return day === undefined ? [] : [{ name, day, part: Number(part) }]
  })
  return files.sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : a.part - b.part))
}
