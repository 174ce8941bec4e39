import type { Command } from 'commander'
import { planOfEpoch } from '#library/buckets/look.ts'
import { lookAtCrawl } from '#library/crawl.ts'
import type { NoteListener } from '#library/open/crawl-note.ts'
import { readPolicyFiles } from '#library/open/policy-file.ts'
import { noteWithoutCopies } from '#library/open/policy-in-force.ts'
import type { BoardPlace } from '#library/plan/board-place.ts'
import { type CrawlPlan, planOfCycle } from '#library/plan/plan-fetches.ts'
import { PURPOSES } from '#policy/bids.ts'
import type { Registry } from '#policy/registry/registry.ts'
import { TASK_NAMES } from '../../text/task-names.ts'
import { wholeNumber } from '../settings/options.ts'
import { addPlanFlags, type PlanSize, planSizeOf } from '../settings/plan-flags.ts'
import { optionsOf, type ReadSettings, settingsOf } from '../settings/setting-flags.ts'
import { screenWidth, tableWithWords } from '../terminal/narrow-table.ts'
import { duration, type Output, outputFor, shortNumber } from '../terminal/output.ts'
import { noteTo } from '../words/note-text.ts'

interface PlanOptions extends PlanSize {
  /** The cycle whose plan is to be made again. */
  at?: number
  /** The same of a crawl in buckets. */
  epoch?: number
  json?: boolean
}

/** The flags of `forager plan`, and what it does. */
export function definePlan(command: Command): void {
  addPlanFlags(command, 'how many fetches to plan')
    .option('--at <cycle>', 'make the plan of a past cycle again, from the log', wholeNumber(1))
    .option('--epoch <n>', 'show the plan of an epoch of a crawl in buckets', wholeNumber(1))
    .option('--json', 'print the plan as JSON')
    .addHelpText(
      'after',
      `
A bid adds up what a new page, a fresher copy and new links are worth, as if there were no more fetches than
--fetches; the price is what the last fetch that the crawl could afford was worth. Where an archive was crawled,
its time counts, not today's. With --at it is the plan of a past cycle, as it was made then: policy and settings are
those of its run.

Examples:
  forager plan
  forager plan --policy split:70/20/10
  forager plan --policy indegree --fetches 100 --json
  forager plan --at 12
  forager plan --dir big --epoch 3            # of a crawl in buckets (forager epochs)`,
    )
    .action((options: PlanOptions, command: Command) => runPlan(options, settingsOf(command)))
}

async function runPlan(options: PlanOptions, read: ReadSettings): Promise<void> {
  const output = outputFor(options)
  const plan = await planFor(options, read, output)
  const { hasParts: _, inQuality: __, hasShares: ___, ...told } = plan
  output.result(told, () => planText(plan, options.at ?? options.epoch))
}

async function planFor(
  options: PlanOptions,
  read: ReadSettings,
  output: Output,
): Promise<CrawlPlan> {
  const { at } = options
  const { dir } = read.settings
  const note = noteTo(output, dir)
  if (options.epoch !== undefined) return planOfEpoch(dir, options.epoch)
  if (at !== undefined) return planOfCycle(dir, at, await registryFor(read, note))
  await using crawl = await lookAtCrawl(optionsOf(read), { note })
  noteWithoutCopies(crawl.settings.policy, crawl.opened, note, crawl.bidders)
  return await crawl.plan(planSizeOf(options, output))
}

/** A past plan may have been made by a policy of the user's own. */
async function registryFor({ settings }: ReadSettings, note: NoteListener): Promise<Registry> {
  const tell = (text: string) => note({ kind: 'policy', text })
  return (await readPolicyFiles(settings.policyFile, tell)).registry
}

function planText(plan: CrawlPlan, at: number | undefined): string {
  const { fetches, price, dir, hasParts } = plan
  if (fetches.length === 0 && at !== undefined)
    return `cycle ${at} planned nothing: all that was to be spent was under way, or nothing was left`
  if (fetches.length === 0) return `nothing left to fetch in ${dir}`
  if (!hasParts)
    return tableWithWords(
      ['bid', 'purpose', 'in', 'url', 'why'],
      fetches.map(({ bid, purpose, board, url, why }) => [bid, purpose, whenText(board), url, why]),
      screenWidth(),
    )
  const header = [
    'bid',
    ...PURPOSES.map((task) => TASK_NAMES[task]),
    'expected',
    'in',
    'url',
    'why',
  ]
  const drawn = (probability: number | undefined) =>
    probability === undefined ? '' : `sampled, ${(100 * probability).toPrecision(2)} %; `
  const rows = fetches.map(({ bid, parts, expected, board, url, why, probability }) => [
    ...[bid, ...PURPOSES.map((task) => parts[task]), expected],
    ...[whenText(board), url, `${drawn(probability)}${why}`],
  ])
  const rendered = fetches.filter(({ renderCost }) => renderCost !== undefined)
  return [
    tableWithWords(header, rows, screenWidth()),
    '',
    currencyText(plan),
    ...(rendered.length > 0
      ? [
          `rendered: ${rendered.length} of these; their bids are what each of the fetches is worth that they cost`,
        ]
      : []),
    'in: when it is sent at the pace of its host, where the best goes first',
    ...(price === undefined
      ? []
      : [`price: ${shortNumber(price)}, what the last fetch that the budget affords is worth`]),
  ].join('\n')
}

/** When a URL is sent; of a plan of the past that is not said. */
function whenText(board: BoardPlace | undefined): string {
  return board ? duration(board.inSeconds) : ''
}

/** In which unit bids are, and how they come from their parts. */
function currencyText({ inQuality, hasShares }: CrawlPlan): string {
  if (!inQuality)
    return 'bid: the part that the fetch is for, as its bidder counts; columns cannot be compared'
  const what = hasShares ? 'the part that the fetch is for' : 'what the fetch is worth'
  return `bid: ${what}, quality × days; expected: quality at once`
}
