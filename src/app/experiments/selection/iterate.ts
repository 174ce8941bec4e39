import { RecordedWeb } from '#archive/recorded-web.ts'
import { runIterate } from '#lab/experiments/selection/iterate.ts'
import { selectionNamed } from '#lab/selection/selection.ts'
import { readWhole, snapshotAt } from '../running/archive-shelf.ts'
import { defineExperiment } from '../running/define-experiment.ts'
import { numbersFlag, snapshotFlag, wholeFlag } from '../running/flags.ts'
import { type IterateFound, iterateViews } from './iterate-views.ts'
import { selectionNames, selectionsFlag } from './selection.ts'

/** The paper's three, and the union it found best. */
const USUAL = ['pagerank', 'indegree', 'td-indegree', 'pagerank+td2']
/** The size when none is named: this share of the pages live. */
const SHARE = 0.1

export const iterateExperiment = defineExperiment<IterateFound>()({
  name: 'iterate',
  summary:
    'what becomes of a corpus that each policy selects anew from its own links, generation after generation',
  example:
    'iterate --archive modelweb --policies pagerank,indegree,td-indegree --sizes 5000 \\\n    --out iterate.json --report iterate.html',
  flags: {
    policies: selectionsFlag(USUAL),
    sizes: numbersFlag('pages of a corpus, separated by commas (default: a tenth of all)'),
    iterations: wholeFlag('n', 'selections after the breadth-first crawl', [1], 4),
    at: snapshotFlag,
  },
  help: selectionNames,
  open: async (shelved, { at }) => {
    const { archive, workload } = await readWhole(shelved, { text: false })
    return { web: new RecordedWeb(archive, snapshotAt(shelved, at)), workload }
  },
  trials: ({ policies, sizes, iterations, seed }, trialsOf) =>
    trialsOf({ corpus: sizes ?? ['usual size'] }, ({ web, workload }, { corpus: asked }) => {
      const live = web.archive.livePages(web.snapshot).length
      const size = typeof asked === 'number' ? asked : Math.max(1, Math.round(SHARE * live))
      const recipes = policies.names.map((name) => selectionNamed(name, policies.registry))
      const found = runIterate({ web, workload, recipes, size, iterations, seed })
      const corpus = found.rows.find(({ iteration }) => iteration === 0)?.size ?? 0
      return {
        tables: {
          rows: found.rows.map((row) => ({ corpus, ...row })),
          likenesses: found.likenesses.map((row) => ({ corpus, ...row })),
          sandboxes: [{ corpus, requested: found.sandbox }],
        },
      }
    }),
  keys: ['archive', 'policy', 'corpus', 'iteration'],
  title: 'Iterate: what becomes of a corpus that is selected again and again',
  intro: `A breadth-first crawl gives the first corpus. Then each policy selects as many URLs again and again,
every time by the links of its own corpus before and nothing else; what is selected is fetched, what is not is
dropped. A policy is stable if its corpora are alike, and good if it keeps finding pages that answer the judged
queries. Helpful pages link to a page judged good: a corpus that loses them cannot see where to go.`,
  views: iterateViews,
})
