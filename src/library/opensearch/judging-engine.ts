import type { Ports } from '#crawl/ports.ts'
import { SettingError } from '#errors/setting-error.ts'
import { engineGains } from '#learn/text-index/engine-gains.ts'
import { exportBeside } from '#repository/export/export-tables.ts'
import type { SearchEngine } from '#search/engine/search-engine.ts'
import type { NoteListener } from '../open/crawl-note.ts'
import type { OpenCrawl } from '../open/open-crawl.ts'
import { pushFrom } from '../push/push-pages.ts'
import { openSearchAddress } from '../settings/push-address.ts'
import type { Settings } from '../settings/settings.ts'
import { OpenSearchClient } from './opensearch-client.ts'
import { openSearchEngine } from './opensearch-engine.ts'
import { openSearchTarget } from './opensearch-target.ts'

/** The engine that a crawl is to go by, if not our own index; it first gets all pages that it lacks. */
export async function judgingEngine(
  { searchEngine, dir }: Pick<Settings, 'searchEngine' | 'dir'>,
  { store, state }: OpenCrawl,
  note?: NoteListener,
): Promise<SearchEngine | undefined> {
  if (searchEngine === undefined) return undefined
  if (!state.indexer)
    throw new SettingError(
      'searchEngine',
      '{searchEngine} needs the index too: leave out {noIndex}',
    )
  const address = openSearchAddress(searchEngine)!
  const target = openSearchTarget(address, { note })
  await pushFrom(dir, { target }, (wanted) => exportBeside(store, dir, wanted))
  const client = new OpenSearchClient(address, { note })
  const { urls } = state.frontier
  const engine = openSearchEngine(client, {
    urlOf: (page) => urls.urlOf(page),
    numberOf: (url) => urls.find(url),
  })
  await engine.keep([]) // what was pushed is found from here on
  return engine
}

/** Measures cycles by an engine; where nobody asks anything it only gets the pages. */
export function judgeBy(engine: SearchEngine): NonNullable<Ports['judge']> {
  return async ({ tracker, learnt }) => {
    const gains = await engineGains(engine, tracker?.answers.queries ?? [], learnt)
    return tracker ? gains : undefined
  }
}
