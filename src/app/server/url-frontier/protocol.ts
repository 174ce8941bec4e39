/**
 * The protocol of URL frontiers (crawler-commons, version 2.6), as a description that gRPC libraries read. A field is its
 * type and number; names, types and numbers are the protocol's.
 */

type Fields = Readonly<Record<string, readonly [type: string, id: number]>>

interface Message {
  readonly fields: Readonly<Record<string, object>>
  readonly oneofs?: Readonly<Record<string, { readonly oneof: readonly string[] }>>
  readonly nested?: Readonly<Record<string, { readonly values: Readonly<Record<string, number>> }>>
}

/** `repeated X` is a list of X; `map X` has a text for key. */
function message(fields: Fields, more: Omit<Message, 'fields'> = {}): Message {
  const described = Object.entries(fields).map(([name, [type, id]]) => [name, field(type, id)])
  return { fields: Object.fromEntries(described), ...more }
}

function field(type: string, id: number): object {
  const [kind, of] = type.split(' ')
  if (kind === 'repeated') return { rule: 'repeated', type: of, id }
  if (kind === 'map') return { keyType: 'string', type: of, id }
  if (kind === 'optional') return { type: of, id, options: { proto3_optional: true } }
  return { type, id }
}

const optional = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [`_${name}`, { oneof: [name] }]))

const QUEUE: Fields = { key: ['string', 1], crawlID: ['string', 2], local: ['bool', 3] }

const MESSAGES: Readonly<Record<string, Message>> = {
  Empty: message({}),
  AnyCrawlID: message({}),
  Local: message({ local: ['bool', 1] }),
  Active: message({ state: ['bool', 1], local: ['bool', 2] }),
  Boolean: message({ state: ['bool', 1] }),
  Long: message({ value: ['uint64', 1] }),
  StringList: message({ values: ['repeated string', 1] }),
  DeleteCrawlMessage: message({ value: ['string', 1], local: ['bool', 2] }),
  QueueWithinCrawlParams: message(QUEUE),
  Stats: message({
    size: ['uint64', 1],
    inProcess: ['uint32', 2],
    counts: ['map uint64', 3],
    numberOfQueues: ['uint64', 4],
    crawlID: ['string', 5],
  }),
  Pagination: message({
    start: ['uint32', 1],
    size: ['uint32', 2],
    include_inactive: ['bool', 3],
    crawlID: ['string', 4],
    local: ['bool', 5],
  }),
  QueueList: message({
    values: ['repeated string', 1],
    total: ['uint64', 2],
    start: ['uint32', 3],
    size: ['uint32', 4],
    crawlID: ['string', 5],
  }),
  QueueDelayParams: message({
    key: ['string', 1],
    delay_requestable: ['uint32', 2],
    crawlID: ['string', 3],
    local: ['bool', 4],
  }),
  BlockQueueParams: message({
    key: ['string', 1],
    time: ['uint64', 2],
    crawlID: ['string', 3],
    local: ['bool', 4],
  }),
  CrawlLimitParams: message({
    key: ['string', 1],
    limit: ['uint32', 2],
    crawlID: ['string', 3],
    local: ['bool', 4],
  }),
  GetParams: message(
    {
      max_urls_per_queue: ['uint32', 1],
      max_queues: ['uint32', 2],
      key: ['string', 3],
      delay_requestable: ['uint32', 4],
      anyCrawlID: ['AnyCrawlID', 5],
      crawlID: ['string', 6],
    },
    { oneofs: { item: { oneof: ['anyCrawlID', 'crawlID'] } } },
  ),
  URLInfo: message({
    url: ['string', 1],
    key: ['string', 2],
    metadata: ['map StringList', 3],
    crawlID: ['string', 4],
  }),
  KnownURLItem: message({ info: ['URLInfo', 1], refetchable_from_date: ['uint64', 2] }),
  DiscoveredURLItem: message({ info: ['URLInfo', 1] }),
  URLItem: message(
    {
      discovered: ['DiscoveredURLItem', 1],
      known: ['KnownURLItem', 2],
      ID: ['string', 3],
      creation_date: ['uint64', 4],
    },
    { oneofs: { item: { oneof: ['discovered', 'known'] } } },
  ),
  AckMessage: message(
    { ID: ['string', 1], status: ['Status', 2] },
    { nested: { Status: { values: { OK: 0, SKIPPED: 1, FAIL: 2 } } } },
  ),
  DiscoveredBatch: message({ ID: ['string', 1], items: ['repeated URLInfo', 2] }),
  BatchAck: message({ ID: ['string', 1], statuses: ['repeated AckMessage.Status', 2] }),
  LogLevelParams: message(
    { package: ['string', 1], level: ['Level', 2], local: ['bool', 3] },
    { nested: { Level: { values: { TRACE: 0, DEBUG: 1, INFO: 2, WARN: 3, ERROR: 4 } } } },
  ),
  URLStatusRequest: message({ url: ['string', 1], key: ['string', 2], crawlID: ['string', 3] }),
  ListUrlParams: message(
    {
      start: ['uint32', 1],
      size: ['uint32', 2],
      key: ['string', 3],
      crawlID: ['string', 4],
      local: ['bool', 5],
      filter: ['optional string', 6],
      ignoreCase: ['optional bool', 7],
    },
    { oneofs: optional('filter', 'ignoreCase') },
  ),
  CountUrlParams: message(
    {
      key: ['string', 1],
      crawlID: ['string', 2],
      filter: ['optional string', 3],
      ignoreCase: ['optional bool', 4],
      local: ['optional bool', 5],
    },
    { oneofs: optional('filter', 'ignoreCase', 'local') },
  ),
  PurgeUrlParams: message({ key: ['string', 1], crawlID: ['string', 2], days: ['uint32', 3] }),
}

/** `stream X` comes in any number. */
const METHODS: Readonly<Record<string, readonly [takes: string, gives: string]>> = {
  ListNodes: ['Empty', 'StringList'],
  ListCrawls: ['Local', 'StringList'],
  DeleteCrawl: ['DeleteCrawlMessage', 'Long'],
  ListQueues: ['Pagination', 'QueueList'],
  GetURLs: ['GetParams', 'stream URLInfo'],
  PutURLs: ['stream URLItem', 'stream AckMessage'],
  PutDiscovered: ['stream DiscoveredBatch', 'stream BatchAck'],
  GetStats: ['QueueWithinCrawlParams', 'Stats'],
  DeleteQueue: ['QueueWithinCrawlParams', 'Long'],
  BlockQueueUntil: ['BlockQueueParams', 'Empty'],
  SetActive: ['Active', 'Empty'],
  GetActive: ['Local', 'Boolean'],
  SetDelay: ['QueueDelayParams', 'Empty'],
  SetLogLevel: ['LogLevelParams', 'Empty'],
  SetCrawlLimit: ['CrawlLimitParams', 'Empty'],
  GetURLStatus: ['URLStatusRequest', 'URLItem'],
  ListURLs: ['ListUrlParams', 'stream URLItem'],
  CountURLs: ['CountUrlParams', 'Long'],
  PurgeURLs: ['PurgeUrlParams', 'Long'],
}

function method([takes, gives]: readonly [string, string]) {
  const [requestStream, responseStream] = [takes, gives].map((side) => side.startsWith('stream '))
  const [requestType, responseType] = [takes, gives].map((side) => side.replace('stream ', ''))
  return { requestType, responseType, requestStream, responseStream }
}

/** What `fromJSON` of `@grpc/proto-loader` reads. */
export const URL_FRONTIER = {
  nested: {
    urlfrontier: {
      nested: {
        ...MESSAGES,
        URLFrontier: {
          methods: Object.fromEntries(
            Object.entries(METHODS).map(([name, types]) => [name, method(types)]),
          ),
        },
      },
    },
  },
}

export const SERVICE_NAME = 'urlfrontier.URLFrontier'
