import { RecordedRobots } from '#archive/recorded-robots.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { corpusGraph } from '#lab/crawls/corpus-graph.ts'
import { prepareSelection, type SelectionLab } from '#lab/experiments/selection/selection.ts'
import { DEFAULT_SELECTIONS, type Recipe, selectionNamed } from '#lab/selection/selection.ts'
import { SELECTION_FACTS } from '#lab/selection/selection-facts.ts'
import { SELECTION_EXAMPLES } from '#lab/selection/selection-name.ts'
import { fileName, readWhole, type ShelvedArchive, snapshotAt } from '../running/archive-shelf.ts'
import { defineExperiment } from '../running/define-experiment.ts'
import { type Flag, numbersFlag, type Settings, snapshotFlag, wholeFlag } from '../running/flags.ts'
import { type ComparedPolicies, policiesFlag, policyWords } from '../running/own-policies.ts'
import { type SelectionFound, selectionViews } from './selection-views.ts'

/** Sizes tried when the user names none, as shares of the pages known. */
const SHARES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]

const flags = {
  policies: selectionsFlag(DEFAULT_SELECTIONS),
  sizes: numbersFlag('pages to select, separated by commas (default: shares of what is known)'),
  base: wholeFlag('n', 'requests of the base crawl (default: all it can reach)', [1]),
  at: snapshotFlag,
}

export const selectionExperiment = defineExperiment<SelectionFound>()({
  name: 'selection',
  summary:
    'how well the N best pages by each policy could serve the judged queries (maxNDCG against size)',
  example:
    'selection --archive modelweb --policies bfs,indegree,pagerank --sizes 1000,2000,5000 \\\n    --out out.json --report report.html --dump selected/',
  flags,
  help: selectionNames,
  open: openLab,
  trials: ({ archive: dirs, policies, sizes }, trialsOf, { id }) => [
    ...trialsOf({}, ({ ceiling }) => ({ tables: { ceilings: [ceiling] } })),
    ...trialsOf({ policy: policies.names }, (lab, { policy }) => {
      const recipe = selectionNamed(policy, policies.registry)
      if (policies.areUsual && saysNothing(recipe, lab)) return { tables: { rows: [] } }
      const { rows, selectedUrls } = lab.attempt(recipe, sizes ?? lab.usualSizes)
      const prefix = dirs.length > 1 ? `${fileName(id)}-` : ''
      const dumps = rows.map((row) => ({
        name: `${prefix}${fileName(row.policy)}-${row.size}.txt`,
        lines: () => selectedUrls(row).map((url) => lab.web.recordedUrl(url) ?? url),
      }))
      return { tables: { rows }, dumps }
    }),
  ],
  keys: ['archive', 'policy', 'size'],
  title: 'Selection: which pages could serve the searchers',
  intro: `Each policy scores every URL a breadth-first crawl came to know, and the best N are kept.
maxNDCG is the mean NDCG@10 that the best possible ranking of the kept pages would reach on the judged
queries, each query counting the same; the bands are 95 % intervals over queries. "Actual" counts only pages
that a fetch would get. A union puts URLs with enough links from other domains first; a domain limit keeps
only so many of the best N of a domain, and does not fill up.`,
  views: selectionViews,
})

/** How selections are named, for --help. */
export function selectionNames(): string {
  const lines = SELECTION_EXAMPLES.map(({ name, summary }) => `  ${name.padEnd(32)}${summary}`)
  return `\nNames for --policies:\n${lines.join('\n')}`
}

/** Selections by name, those of the user's own files last; `usual` if none is named. */
export function selectionsFlag(usual: readonly string[]): Flag<ComparedPolicies> {
  return policiesFlag({
    usual,
    tasks: ['acquire'],
    facts: SELECTION_FACTS,
    words: policyWords('the usual ones'),
    check: selectionNamed,
  })
}

/**
 * Left out unless asked for by name: what needs clicks where there are none, and what tells domains
 * apart where there is one.
 */
function saysNothing({ name, needsClicks }: Recipe, { hasClicks, domains }: SelectionLab): boolean {
  return (needsClicks && !hasClicks) || (domains === 1 && /\btd|@|^host-/.test(name))
}

/** A selection lab on one archive, with the web it was made from. */
async function openLab(archive: ShelvedArchive, { at, base, seed }: Settings<typeof flags>) {
  const { archive: recorded, workload } = await readWhole(archive, { text: false })
  const web = new RecordedWeb(recorded, snapshotAt(archive, at))
  const robots = new RecordedRobots(web)
  const answers = (url: string) => {
    const { kind } = web.find(url)
    return (kind === 'page' || kind === 'redirect') && robots.verdictOn(url).allowed
  }
  const graph = corpusGraph(web, { base, seed })
  const pages = graph.facts.visits.length
  const usualSizes = SHARES.map((share) => Math.max(1, Math.round(share * pages)))
  const lab = prepareSelection({ graph, workload, seed, answers })
  return { ...lab, web, usualSizes: [...new Set(usualSizes)] }
}
