import { WAIT_SECONDS } from '#crawl/host-waits.ts'
import { MOST_WORKERS } from '#fetch/bounds/address-places.ts'
import { SCOPES } from '#frontier/scope.ts'
import { DOCUMENT_FORMATS } from '#parse/page/document-format.ts'
import { RANDOM_SHARE } from '#policy/budget/one-budget.ts'
import { FRESH_FOR_SECONDS } from '#policy/planning/budget-planner.ts'
import { policyHint, policySummaries, UNIFIED } from '#policy/registry/policy-name.ts'
import { LOG_FORMATS } from '#workload/formats/formats.ts'
import {
  agentOrigin,
  agentText,
  contactAddress,
  databaseAddress,
  engineAddress,
  proxyAddress,
  publicAddress,
  pushAddress,
  storePlace,
  urlPattern,
} from './address-kinds.ts'
import { fieldList } from './field-list.ts'
import { WEBHOOK_VARIABLE } from './push-address.ts'
import {
  amount,
  type Budget,
  budget,
  byteSize,
  type Kind,
  lineThat,
  listOf,
  oneLine,
  oneOf,
  pathTo,
  quietWindow,
  shareOfOne,
  shareOrNone,
  timeSpan,
  whole,
  yesOrNo,
} from './setting-kinds.ts'
import { KEY_VARIABLE, SIGN_WHEN } from './signing.ts'
import { siteList } from './site-list.ts'

/** One thing a user can set: by a flag, by a key of the config file, or not at all. */
export interface Setting<Value> {
  /** Where it stands in a config file, as in `politeness.delaySeconds`. */
  readonly key: string
  /** What its value is called, as in `<n>`; empty for yes or no. Without one it is no flag of any command. */
  readonly value?: string
  readonly kind: Kind<Exclude<Value, undefined>>
  readonly help: string
  readonly default: Value
  /** What happens without it, when no single value says so. */
  readonly otherwise?: string
}

export const DEFAULT_DIR = 'forager-data'
/** What the product is for; it goes by PageRank where there is nothing else to go by. */
export const DEFAULT_POLICY = UNIFIED

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const

const POLICY_NAMES = Object.keys(policySummaries())
/** Whether that is one of ours is checked when it is known which files with policies there are. */
const policyName = {
  ...lineThat(
    `one of ${POLICY_NAMES.join(', ')}, or fixed shares as in split:70/20/10`,
    `"${UNIFIED}"`,
    (name) => /^[\w:/.,-]+$/.test(name),
  ),
  hint: policyHint,
}
/**
 * Every setting, once. The flags of the commands, the check of config files and
 * docs/reference/configuration.md come from this table; a name here is the flag's name in camel case.
 */
// biome-ignore format: a table reads better with two lines a setting
export const SETTINGS = {
  seedUrls: optional('seeds', undefined, listOf(oneLine),
    'URLs to begin with, beside those on the command line'),
  seeds: optional('seedsFile', '<file>', pathTo('file'),
    'file with more seed URLs, one a line'),
  budget: setting<Budget>('budget', '<n>', budget, 1000,
    'fetches in all, earlier runs in the same directory included; with a plus, as in +500, so many more'),
  policy: setting('policy', '<name>', policyName, DEFAULT_POLICY,
    `what to fetch first: ${POLICY_NAMES.join(', ')}, or fixed shares of new pages, copies and links, as in split:70/20/10`),
  policyFile: optional('policyFile', '<file>', listOf(oneLine),
    'a file with a policy of your own, run as code; may be repeated', 'none'),
  needyShare: setting('needyShare', '<share>', shareOfOne, 1,
    'the share of the queries that policies by queries go by: the weightiest, or for those of the impact paper the neediest'),
  topK: setting('topK', '<n>', whole(1, 100), 10,
    'the results that searchers look at, for policies of the impact paper'),
  matchShare: setting('matchShare', '<share>', shareOrNone, 1,
    'the share of a query\'s n-grams that address and links must hold, for query-driven and hybrid-paper'),
  longestNgram: setting('longestNgram', '<n>', whole(1, 8), 3,
    'the words of the longest n-gram, for the same'),
  refreshAfter: optional('refreshAfter', '<time>', timeSpan,
    'fetch pages again whose copy is older than this, as in 7d: half of every plan is for them until that is done', 'never'),
  freshFor: setting('freshFor', '<time>', timeSpan, FRESH_FOR_SECONDS,
    'never fetch a copy again that is younger than this, as in 1d'),
  untilGain: optional('untilGain', '<share>', shareOfOne,
    'stop when all that the rest of the budget is expected to gain is surely less than this share of what was gained, as in 0.01', 'never'),
  randomShare: setting('randomShare', '<share>', shareOrNone, RANDOM_SHARE,
    'the share of the fetches that policy unified samples at random, to learn what the others leave out'),
  dir: setting('dir', '<dir>', pathTo('folder'), DEFAULT_DIR,
    'where the crawl is kept'),

  scope: optional('scope.reach', '<scope>', oneOf(SCOPES),
    'how far to stray from the seeds: host (with or without www), domain or anywhere', 'as the directory was begun, else anywhere'),
  include: optional('scope.include', '<pattern>', listOf(urlPattern),
    "only URLs that match, as in 'example.org/blog/*': * stands for anything; may be repeated", 'all'),
  exclude: optional('scope.exclude', '<pattern>', listOf(urlPattern),
    "no URLs that match, as in '*/print/*'; may be repeated", 'none'),
  maxDepth: optional('scope.maxDepth', '<n>', whole(0),
    'at most so many links away from a seed', 'no limit'),
  maxPagesPerHost: optional('scope.pagesPerHost', '<n>', whole(1),
    'at most so many fetches of one host in all', 'no limit'),
  maxPagesPerDomain: optional('scope.pagesPerDomain', '<n>', whole(1),
    'at most so many fetches of one registrable domain in all', 'no limit'),

  maxBytes: optional('limits.bytes', '<size>', byteSize,
    'stop when so much has been received, earlier runs included, as in 2GB', 'no limit'),
  maxTime: optional('limits.time', '<time>', timeSpan,
    'stop this run after so long, as in 90s, 15m or 2h', 'no limit'),
  maxWait: setting('limits.wait', '<time>', timeSpan, WAIT_SECONDS,
    'how long to wait in a row for hosts that want to be left alone, when nothing else is left to fetch'),

  batch: optional('plan.batch', '<n>', whole(1),
    'plan anew after so many answers', 'a tenth of those had, 50 to 2000; live by bfs 600 at least'),
  perHost: optional('plan.perHost', '<n>', whole(1),
    'at most so many fetches of one host between two plans', 'no limit'),
  perDomain: optional('plan.perDomain', '<n>', whole(1),
    'at most so many fetches of one registrable domain between two plans', 'no limit'),
  seed: setting('plan.seed', '<n>', whole(0), 1,
    'seed of policies that choose at random'),

  contact: optional('identity.contact', '<address>', contactAddress,
    'whom site owners may write to: a mail address or a web page; live crawls need it', 'none: live crawls do not start'),
  userAgent: optional('identity.userAgent', '<text>', agentText,
    'how to introduce ourselves; its first word is the name robots.txt knows us by', 'Forager/VERSION (+CONTACT)'),
  identityKey: optional('identity.key', '<file>', pathTo('file'),
    'file with the private key that requests are signed with, as forager identity init makes it', `the key itself in the environment variable ${KEY_VARIABLE}, or none`),
  identityAgent: optional('identity.agent', '<origin>', agentOrigin,
    'the web site that publishes the public key', 'none: nothing can be signed'),
  identitySign: optional('identity.sign', '<when>', oneOf(SIGN_WHEN),
    'which requests are signed: always, when-asked (those to hosts that ask for it) or never', 'always if there is a key'),

  delay: setting('politeness.delaySeconds', '<seconds>', amount(), 1,
    'pause between two requests to one host'),
  responseFactor: optional('politeness.responseFactor', '<k>', amount(),
    'pause at least k times as long as the last answer took, so that slow hosts get rest', '2, or 0 without a delay'),
  concurrency: setting('politeness.concurrency', '<n>', whole(1), 64,
    'hosts that are fetched from at the same time'),
  connectionsPerHost: setting('politeness.connectionsPerHost', '<n>', whole(1, 64), 1,
    'requests to one host at the same time'),
  connectionsPerDomain: optional('politeness.connectionsPerDomain', '<n>', whole(1, 1024),
    'requests to all hosts of a registrable domain at the same time', '2, or any without a delay'),
  connectionsPerAddress: optional('politeness.connectionsPerAddress', '<n>', whole(1, 1024),
    'requests to one address at the same time; more if it serves many domains', '1, or any without a delay'),
  quietHours: optional('politeness.quietHours', '<hours>', listOf(quietWindow),
    "ask nobody in these hours, as in '22:00-06:00' or 'Mon-Fri 08:00-18:00 Europe/Berlin'; may be repeated", 'none'),
  robotsDenied: setting('politeness.robotsDenied', '<word>', oneOf(['allow', 'disallow']), 'allow',
    'what a robots.txt that is itself denied (401, 403) means: allow (RFC 9309) or disallow'),

  sites: optional('sites', undefined, siteList,
    'what holds for sites of your own: delay, concurrency, quiet hours, scope, headers, credentials, cookies', 'none'),

  connectTimeout: setting('http.connectSeconds', '<seconds>', amount(0.1), 10,
    'how long to wait for a connection'),
  firstByteTimeout: setting('http.firstByteSeconds', '<seconds>', amount(0.1), 20,
    'how long to wait for the headers of an answer'),
  totalTimeout: setting('http.totalSeconds', '<seconds>', amount(0.1), 60,
    'how long an answer may take in all'),
  maxBody: setting('http.bodyBytes', '<size>', byteSize, 10 * 1024 * 1024,
    'longest body that is read, on the wire and unpacked: longer pages are cut; sitemaps may have 50MiB unpacked'),
  resolve: optional('http.resolve', '<rule>', listOf(oneLine),
    "reach a host at another address, as in '*=127.0.0.1:8080'; may be repeated", 'none'),
  workers: optional('http.workers', '<n>', whole(0, MOST_WORKERS),
    'threads that fetch and read pages; 0 for none, so that fetching waits while a crawl plans', 'one less than there are cores, and 1 at least'),
  proxy: optional('http.proxy', '<url>', proxyAddress,
    'send all requests through this HTTP proxy', 'none'),
  allowPrivate: setting('http.allowPrivate', '', yesOrNo, false,
    'also fetch from private, loopback and link-local addresses, as in an intranet'),

  render: setting('render.pages', '', yesOrNo, false,
    'let Chromium run the scripts of pages that show little without them, where that is worth what it costs'),
  renderAll: setting('render.all', '', yesOrNo, false,
    'with {render}: of every page, whatever it is worth'),
  browser: optional('render.browser', '<file>', pathTo('file'),
    'the Chromium or Chrome that runs them', 'the first of chromium, chromium-browser, google-chrome-stable and google-chrome'),
  renderSandbox: setting('render.sandbox', '', yesOrNo, true,
    'run Chromium without its sandbox: a page that breaks out of it is on this machine'),
  renderTimeout: setting('render.seconds', '<seconds>', amount(0.5), 10,
    'how long the scripts of a page may take'),
  renderMemory: setting('render.memoryBytes', '<size>', byteSize, 2 ** 30,
    'how much memory a page may take'),
  renderRequests: setting('render.requests', '<n>', whole(1, 10_000), 100,
    'how many requests the scripts of a page may make'),

  sitemaps: setting('discovery.sitemaps', '', yesOrNo, true,
    'do not look for URLs in sitemaps'),

  fields: optional('fields', undefined, fieldList,
    'fields of your own, found on pages by CSS selectors and exported with them', 'none'),

  documents: setting('documents.read', '', yesOrNo, true,
    'do not read documents that are no pages in HTML: PDF, office documents, books'),
  documentFormats: optional('documents.formats', '<format>', listOf(oneOf(DOCUMENT_FORMATS)),
    `read documents of this format only, of ${DOCUMENT_FORMATS.join(', ')}; may be repeated`, 'all of them'),
  documentTime: setting('documents.seconds', '<seconds>', amount(0.1), 20,
    'how long it may take to read one document'),
  documentMemory: setting('documents.memoryBytes', '<size>', byteSize, 256 * 1024 * 1024,
    'how much memory that may take, for objects and again for bytes'),

  index: setting('index', '', yesOrNo, true,
    'do not index what was fetched: forager search will not find it'),
  warc: setting('warc.write', '', yesOrNo, true,
    'do not keep what was received in WARC files'),
  warcDir: optional('warc.dir', '<dir>', pathTo('folder'),
    'where WARC files go', 'warc/ in {dir}'),
  warcRollover: setting('warc.rolloverBytes', '<size>', byteSize, 1e9,
    'begin a new WARC file after so much'),

  searchEngine: optional('search.engine', '<address>', engineAddress,
    'go by the scores of this engine in place of our own index, as in opensearch://127.0.0.1:9200/pages; it gets all pages', 'our own index'),
  pushTo: optional('push.to', '<address>', listOf(pushAddress),
    'tell this address of new, changed and gone pages, as in https://hooks.example/forager or opensearch://127.0.0.1:9200/pages; may be repeated', 'none'),
  pushKey: optional('push.key', '<file>', pathTo('file'),
    'file with the secret that webhooks are signed with', `the secret itself in the environment variable ${WEBHOOK_VARIABLE}`),

  leases: optional('fleet.leases', '<url>', databaseAddress,
    'let workers fetch (forager worker): the PostgreSQL database that says who fetches what; ?schema=name tells crawls apart', 'none'),
  store: optional('fleet.store', '<place>', storePlace,
    'with {leases}: where workers put what they fetched, a folder that all of them see or s3://bucket/prefix', 'none'),

  log: optional('log.file', '<file>', pathTo('file'),
    'append what happens to this file, one JSON object a line', 'none'),
  logLevel: setting('log.level', '<level>', oneOf(LOG_LEVELS), 'info',
    'least level that is logged: debug has a line for every fetch'),

  metricsPort: optional('metrics.port', '<port>', whole(0, 65_535),
    'serve /metrics for Prometheus and /health here; 0 takes a free port and says which', 'none'),
  metricsHost: setting('metrics.host', '<address>', oneLine, '127.0.0.1',
    'address to serve them on'),

  fetchesADay: setting('service.fetchesADay', '<n>', whole(1), 10_000,
    'at most so many fetches in any 24 hours'),
  burst: optional('service.burst', '<n>', whole(1),
    'so many of them may be saved up while nothing is sent', "an hour's worth, and 50 at least"),
  queryLog: optional('service.queryLog', '<file>', pathTo('file'),
    'a query log that grows: what is new in it is taken in', 'none'),
  queryLogFormat: setting('service.queryLogFormat', '<name>', oneOf(Object.keys(LOG_FORMATS)), 'ubi',
    'what that file is'),
  serve: optional('service.port', '<port>', whole(0, 65_535),
    'serve the search page here, in the same process; 0 takes a free port and says which', 'none'),
  serveHost: setting('service.host', '<address>', oneLine, '127.0.0.1',
    'address to serve it on'),
  control: setting('service.control', '', yesOrNo, false,
    'with {serve}: the control room too, at /control; a process of its own serves both then'),
  controlActions: setting('service.controlActions', '', yesOrNo, false,
    'let people act there: pause, resume, stop, reload, a seed, a rate'),

  hearPort: optional('service.hearPort', '<port>', whole(0, 65_535),
    'listen here to sites that tell of new and changed pages (IndexNow), and to hubs of feeds (WebSub, with {callback}); 0 takes a free port and says which', 'none'),
  hearHost: setting('service.hearHost', '<address>', oneLine, '127.0.0.1',
    'address to listen on'),
  callback: optional('service.callback', '<url>', publicAddress,
    'the address at which hubs reach {hearPort}, as in https://bot.example/: feeds that name a hub are subscribed to', 'no feed is subscribed to'),

  archive: optional('archive.dir', '<dir>', pathTo('folder'),
    'crawl a recorded web instead of the live one', 'none'),
  at: optional('archive.snapshot', '<snapshot>', whole(0),
    'with {archive}: which snapshot', 'the last'),
} as const satisfies Record<string, Setting<unknown>>

export type SettingName = keyof typeof SETTINGS

/** A value for every setting. */
export type Settings = { readonly [Name in SettingName]: (typeof SETTINGS)[Name]['default'] }

/** Settings as a crawl goes by them: its own policy, and the budget in all. */
export type SettingsInForce = Omit<Settings, 'budget'> & { readonly budget: number }

/** What holds when nobody says anything. */
export const DEFAULTS: Settings = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, setting]) => [name, setting.default]),
) as Settings

/** Headings for the settings whose keys begin alike. */
export const SETTING_GROUPS: Readonly<Record<string, string>> = {
  '': 'The crawl',
  scope: 'Scope: which URLs belong to it',
  limits: 'Limits beside the budget',
  plan: 'Planning',
  identity: 'Who we are',
  politeness: 'Politeness',
  sites: 'Sites of your own',
  http: 'HTTP',
  render: 'Rendering: pages that need their scripts',
  discovery: 'Discovery',
  documents: 'Documents',
  warc: 'WARC files',
  search: 'The engine that answers searchers',
  push: 'Pages for other programs',
  fleet: 'A fleet of workers',
  log: 'Log',
  metrics: 'Metrics',
  service: 'A service (forager run)',
  archive: 'A recorded web',
}

/** `politeness` for `politeness.delaySeconds`, '' for a key at the top. */
export function groupOf(key: string): string {
  if (key === SETTINGS.sites.key) return key
  return key.includes('.') ? key.slice(0, key.indexOf('.')) : ''
}

function setting<Value>(
  key: string,
  value: string,
  kind: Kind<Value>,
  fallback: Value,
  help: string,
): Setting<Value> {
  return { key, value, kind: kind as Setting<Value>['kind'], help, default: fallback }
}

function optional<Value>(
  key: string,
  value: string | undefined,
  kind: Kind<Value>,
  help: string,
  otherwise?: string,
): Setting<Value | undefined> {
  return {
    key,
    value,
    kind: kind as Setting<Value | undefined>['kind'],
    help,
    default: undefined,
    otherwise,
  }
}
