import type { ChangedPage, SectionChanges } from '#repository/reports/time-reports.ts'
import type { Look } from './watched-crawl.ts'

/** What was new, changed or gone since a day. */
export interface ChangesView {
  readonly since: number
  readonly sections: readonly SectionChanges[]
  readonly pages: readonly ChangedPage[]
}

const SECTIONS_SHOWN = 50

/** What was found to be new, changed or gone since then; single pages of one section, if that is named. */
export async function changesView(
  look: Look,
  ask: {
    readonly since: number
    readonly section: string
    readonly offset: number
    readonly limit: number
  },
): Promise<ChangesView> {
  const { time } = look.tables.store.reports
  const { since, section, offset, limit } = ask
  return {
    since,
    sections: await look.once(`sections since ${since}`, () =>
      time.changesBySection(since, SECTIONS_SHOWN),
    ),
    pages: await look.once(`changes since ${since} ${offset} ${limit} ${section}`, () =>
      time.changesSince(since, section, offset, limit),
    ),
  }
}
