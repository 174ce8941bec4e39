import { runSearch, type SearchRow } from '#lab/experiments/search.ts'
import { INDEXED_TEXTS, indexArchive } from '#lab/judging/archive-index.ts'
import { defaultAnalyser, SCORINGS } from '#search/full-text/default-search.ts'
import { UsageError } from '../text/usage-error.ts'
import { readWhole, snapshotAt } from './running/archive-shelf.ts'
import { defineExperiment } from './running/define-experiment.ts'
import { choiceFlag, scoringFlag, snapshotFlag } from './running/flags.ts'

type Found = { readonly rows: readonly (SearchRow & { readonly archive: string })[] }

export const searchExperiment = defineExperiment<Found>()({
  name: 'search',
  summary:
    'how well the judged queries are answered when everything is indexed (NDCG@10, recall@100)',
  example: 'search --archive modelweb --out out.json',
  flags: {
    scoring: scoringFlag,
    text: choiceFlag('text', 'what of pages is indexed', INDEXED_TEXTS, 'main'),
    at: snapshotFlag,
  },
  open: async (shelved, { at, scoring, text }) => {
    const { archive, workload } = await readWhole(shelved)
    if (workload.judgments.length === 0)
      throw new UsageError(
        `${shelved.dir} has no judgments (qrels.tsv.gz): choose an archive that has`,
      )
    const index = indexArchive(archive, snapshotAt(shelved, at), defaultAnalyser, text)
    return runSearch(archive, index, workload, SCORINGS[scoring])
  },
  trials: (_, trialsOf) => trialsOf({}, (rows) => ({ tables: { rows } })),
  asked: ({ scoring, text }) => ({ scoring, ...(text === 'all' && { text }) }),
  keys: ['archive', 'source'],
  title: 'Search: how well the judged queries are answered',
  intro:
    'All pages live at the snapshot are indexed; every judged query is asked by the default scoring. NDCG@10 uses gains 0, 3, 7, 15 and 31 for grades 0 to 4; recall is the share of pages with a gain among the first 100 results.',
  views: [
    {
      as: 'bars',
      of: 'rows',
      title: 'NDCG@10 by source',
      each: 'archive',
      by: 'source',
      y: 'ndcg10',
    },
    {
      as: 'table',
      of: 'rows',
      caption: 'judged queries',
      columns: ['archive', 'source', 'queries', 'ndcg10', 'recall100'],
    },
  ],
})
