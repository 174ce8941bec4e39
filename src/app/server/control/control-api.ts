import type { ValueOf } from '../http/schema.ts'
import {
  anyObject,
  anyObjectOrNull,
  list,
  number,
  object,
  text,
  truth,
  whole,
} from '../http/schema.ts'

const MAX_URL_CHARS = 2_000
const MAX_WORDS = 500
const MAX_OFFSET = 100_000_000
export const LIST_SIZE = 25

const offset = whole('How many to leave out.', { maximum: MAX_OFFSET, default: 0 })
const limit = whole('How many to give.', { minimum: 1, maximum: 500, default: LIST_SIZE })

/** What views take. */
export const QUERIES_PARAMETERS = {
  q: text('Words that queries hold.', { maxLength: MAX_WORDS, default: '' }),
  order: text('`neediness`, `weight` or `score`.', { maxLength: 20, default: 'neediness' }),
  offset,
  limit,
}
export const QUERY_PARAMETERS = { q: text('The query as it is listed.', { maxLength: MAX_WORDS }) }
export const PAGE_PARAMETERS = { url: text('Address of a page.', { maxLength: MAX_URL_CHARS }) }
export const HOSTS_PARAMETERS = {
  q: text('A part of the host’s name.', { maxLength: MAX_WORDS, default: '' }),
  offset,
  limit,
}
export const HOST_PARAMETERS = {
  name: text('The host, with its port if it has one.', { maxLength: 300 }),
}
export const BOARD_PARAMETERS = {
  fetches: whole('Fetches to plan.', { minimum: 1, maximum: 500, default: 20 }),
}
export const CHANGES_PARAMETERS = {
  days: whole('Days back.', { minimum: 1, maximum: 3650, default: 7 }),
  section: text('Host and first folder, as in `example.org/docs/`.', {
    maxLength: 500,
    default: '',
  }),
  offset,
  limit,
}

const time = (what: string) => number(`${what}, seconds since 1970.`)
const quality = (what: string) => number(`${what}, quality.`)

const Problem = object(
  { title: 'Problem' },
  { kind: text(), what: text('What is wrong.'), advice: text('What to do.') },
  { host: text('The host it is about.') },
)
const Stretch = object(
  { title: 'Stretch', description: 'Fetches paid for in a stretch of time.' },
  {
    at: time('Its beginning'),
    acquire: whole(),
    refresh: whole(),
    discover: whole(),
    gain: quality('What they gained'),
  },
)
const CoursePoint = object(
  { title: 'CoursePoint', description: 'Where the crawl stood when a cycle ended.' },
  { cycle: whole(), at: time('When'), fetches: whole('So far.'), gained: quality('So far') },
  { price: number('Worth of the last fetch that the budget afforded, quality × days.') },
)

export const OverviewSchema = object(
  { title: 'Overview' },
  {
    dir: text('Where the crawl is kept.'),
    at: time('When the tables were read'),
    held: whole('Pages held.'),
    known: whole('URLs known.'),
    waiting: whole('URLs that may be fetched for the first time.'),
    status: anyObject('As `forager status --json` prints it of a crawl at rest.'),
    stretchSeconds: whole('How long the stretches are.'),
    stretches: list(Stretch),
    course: list(CoursePoint),
    problems: list(Problem, 'The most urgent first.'),
  },
  {
    running: anyObject(
      'What a crawl that runs tells of itself, as `forager status --json` has it.',
    ),
  },
)

const queryFields = {
  query: text(),
  weight: number('How often it is asked, older searches counting less.'),
  share: number('Of all searches.'),
  neediness: number('Weight × improvability.'),
  improvability: number('New results among the first ten that a cycle may bring.'),
  averageScore: number('Of the first ten; missing ones count 0.'),
  results: whole('Of the first ten, how many there are.'),
  best: anyObjectOrNull('`url`, `title` and `score` of the first result.'),
}
const waiting = {
  waiting: whole('Pages not fetched yet that speak of it.'),
  since: time('Its results are as they are since'),
}
const ListedQuery = object({ title: 'ListedQuery' }, queryFields, waiting)
const unserved = {
  searches: number(),
  withoutResult: number(),
  withoutClick: number('Of those with results.'),
}
const Unserved = object({ title: 'Unserved' }, unserved, { lastAt: time('Last asked') })
const UnservedQuery = object(
  { title: 'UnservedQuery' },
  { query: text(), ...unserved },
  { lastAt: time('Last asked') },
)

export const QueriesSchema = object(
  { title: 'Queries' },
  {
    synthetic: truth('Nobody’s searches are known: queries are synthetic, from titles and links.'),
    all: whole(),
    matching: whole(),
    queries: list(ListedQuery),
    unserved: Unserved,
    mostUnserved: list(UnservedQuery, 'Asked on our own search page, for nothing.'),
  },
)

const WantedPage = object(
  { title: 'WantedPage' },
  {
    url: text(),
    expected: number('What the query expects of it: 1 is a usual result among the first ten.'),
    bid: number('Quality × days.'),
    place: whole('Among all bids, from 1 on.'),
  },
)
export const QuerySchema = object(
  { title: 'QueryInFull' },
  {
    listed: ListedQuery,
    answer: anyObject('What searchers get, as `forager search --json` has it.'),
    history: list(
      object(
        { title: 'QueryStep' },
        {
          cycle: whole(),
          at: time('When'),
          averageScore: number('Before the cycle.'),
          newResults: whole(),
        },
      ),
    ),
    wanted: list(WantedPage, 'Pages that would change the answer.'),
  },
  { firstSeen: time('First asked'), lastSeen: time('Last asked') },
)

export const PageSchema = object(
  { title: 'Page' },
  {
    url: text('Canonical.'),
    at: time('When the tables were read'),
    known: truth(),
    fetches: list(anyObject('As `forager explain --json` has it.'), 'The first one first.'),
    explained: anyObject(
      'As `forager explain --json` prints it; `heldBackBy` with all its figures.',
    ),
  },
  {
    foundBy: text(),
    finder: text('The page that first linked to it.'),
    firstSeen: time('When it was found'),
    depth: whole('Links from a seed.'),
    copy: anyObject('Its latest copy.'),
    change: anyObject('Lines that its latest content has otherwise than the one before.'),
  },
)

export const BeliefSchema = object(
  { title: 'Belief' },
  {
    forecasts: list(anyObject('By task, as `forager status --json` has it.')),
    random: anyObject('Fetches sampled at random: `fetches`, `meanGain`.'),
    chosen: anyObject('Fetches chosen by their bids: `fetches`, `meanGain`.'),
    classes: list(
      object(
        { title: 'ClassForecast' },
        {
          className: text(),
          fetches: whole(),
          predicted: quality('Mean'),
          realised: quality('Mean'),
        },
      ),
    ),
    corrections: list(anyObject('What predictions of usual sizes are corrected to, by task.')),
    alarms: list(anyObject('Classes of addresses that behave unlike before.')),
  },
  {
    policyChange: anyObject(
      'The last policy that took the place of another: `from`, `to`, `cycle`, and fetches `before` and `after`.',
    ),
  },
)

const spent = {
  known: whole(),
  fetches: whole('Paid for.'),
  pages: whole(),
  gone: whole(),
  errors: whole(),
  gain: quality('What fetches gained'),
}
const hostFields = {
  id: whole(),
  host: text(),
  ...spent,
  delay: number('Seconds between two requests.'),
  delayBy: text('`settings`, `robots.txt` or `operator`.'),
  failures: whole('In a row.'),
}
const sometimesOfHost = {
  lastAt: time('Last fetched'),
  leftAloneUntil: time('Left alone until'),
  reason: text('Of the last failure.'),
  robots: text('What came of asking for its robots.txt.'),
}
export const HostsSchema = object(
  { title: 'Hosts' },
  {
    hosts: whole('All that are known.'),
    fetches: whole('Of all hosts.'),
    gain: quality('Of all hosts'),
    listed: list(object({ title: 'Host' }, hostFields, sometimesOfHost)),
  },
)
export const HostSchema = object(
  { title: 'HostInFull' },
  {
    ...hostFields,
    shareOfFetches: number(),
    shareOfGain: number(),
    sections: list(
      object({ title: 'Section' }, { section: text(), ...spent }, { lastAt: time('Last fetched') }),
    ),
    troubles: list(anyObject('Errors by what they said.')),
    claims: anyObject('Claims of sitemaps and feeds that were tested: `right`, `wrong`, `missed`.'),
    lists: list(anyObject('Sitemaps and feeds.')),
    robotsFiles: list(anyObject('robots.txt of each origin.')),
    manner: anyObject(
      'What holds for it: `concurrency`, `quietHours`, `maxPages`, `refreshAfter` (seconds), what operators `told`, and what is `waiting` to be taken in.',
    ),
  },
  sometimesOfHost,
)

export const BoardSchema = object(
  { title: 'Board' },
  {
    plan: anyObject('As `forager plan --json` prints it.'),
    bids: whole(),
    belowPrice: list(object({ title: 'Bid' }, { url: text(), bid: number() })),
    budgets: list(
      object(
        { title: 'BudgetOutlook' },
        { times: number('Of the budget.'), fetches: whole(), gain: quality('Expected') },
      ),
    ),
  },
  {
    aroundPrice: list(anyObject('Bids from so many times the price up to as many.')),
    left: anyObject('What is left to gain, with its bound of 95 %.'),
  },
)

export const ChangesSchema = object(
  { title: 'Changes' },
  {
    since: time('Since'),
    sections: list(
      object(
        { title: 'SectionChanges' },
        { section: text(), added: whole(), changed: whole(), gone: whole() },
      ),
    ),
    pages: list(
      object(
        { title: 'ChangedPage' },
        {
          url: text(),
          what: text('`added`, `changed` or `gone`.'),
          at: time('When it was found'),
          title: text(),
        },
      ),
      'The latest first.',
    ),
  },
)

export type ToldOverview = ValueOf<typeof OverviewSchema>
