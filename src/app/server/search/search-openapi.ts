import { MAX_LIMIT, MAX_OFFSET, MAX_QUERY_CHARS, PAGE_SIZE } from './search-parameters.ts'

const number = { type: 'number' }
const whole = { type: 'integer', minimum: 0 }
const text = { type: 'string' }
const marks = {
  type: 'array',
  description: 'Where words of the query stand: start and end, in UTF-16 units.',
  items: { type: 'array', items: whole, minItems: 2, maxItems: 2 },
}

const Result = {
  type: 'object',
  required: ['rank', 'url', 'title', 'snippet', 'score', 'fetchedAt'],
  additionalProperties: false,
  properties: {
    rank: { type: 'integer', minimum: 1, description: '1 is the best of all.' },
    url: text,
    title: text,
    snippet: {
      type: 'object',
      description: 'An excerpt as plain text: escape it before it becomes HTML.',
      required: ['text', 'marks'],
      additionalProperties: false,
      properties: { text, marks },
    },
    score: { ...number, description: 'Comparable within one query only.' },
    fetchedAt: { type: ['string', 'null'], format: 'date-time', description: 'Age of the copy.' },
    clickPath: {
      ...text,
      description: 'Leads to `url` and notes the choice. Absent if nothing is logged.',
    },
  },
}

const Answer = {
  type: 'object',
  required: ['query', 'offset', 'limit', 'total', 'totalIsExact', 'ms', 'results'],
  additionalProperties: false,
  properties: {
    query: text,
    offset: whole,
    limit: whole,
    total: { ...whole, description: 'How many pages answer.' },
    totalIsExact: { type: 'boolean', description: 'If not, there are at least so many.' },
    ms: { ...number, description: 'How long the search took.' },
    queryId: { ...text, description: 'What the query log calls this search.' },
    results: { type: 'array', items: { $ref: '#/components/schemas/Result' } },
  },
}

const Mistake = {
  type: 'object',
  required: ['error'],
  additionalProperties: false,
  properties: { error: text },
}

const QueryLog = {
  type: 'object',
  required: ['bytes', 'mostBytes', 'isFull', 'unwritten'],
  additionalProperties: false,
  properties: {
    bytes: { ...whole, description: 'What the logs of searches take on the disk.' },
    mostBytes: { ...whole, description: 'What they may take.' },
    isFull: { type: 'boolean', description: 'If so, searches are not noted for now.' },
    unwritten: { ...whole, description: 'Searches and clicks not logged because the log is full.' },
  },
}

const answers = (description: string, schema: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
})

const pageParameter = (name: string, otherwise: number, minimum: number, maximum: number) => ({
  name,
  in: 'query',
  required: false,
  schema: { type: 'integer', minimum, maximum, default: otherwise },
})

/** The OpenAPI 3.1 description of what machines may ask. */
export function openApi(version: string): object {
  const TooOften = answers('Too many requests; Retry-After says when to come back.', 'Mistake')
  return {
    openapi: '3.1.0',
    info: {
      title: 'Forager search',
      version,
      description: 'Searches the pages of a crawl.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    paths: {
      '/api/search': {
        get: {
          operationId: 'search',
          summary: 'The pages that answer a query, best first',
          parameters: [
            {
              name: 'q',
              in: 'query',
              required: true,
              description: 'The query, in plain words.',
              schema: { type: 'string', minLength: 1, maxLength: MAX_QUERY_CHARS },
            },
            pageParameter('offset', 0, 0, MAX_OFFSET),
            pageParameter('limit', PAGE_SIZE, 1, MAX_LIMIT),
          ],
          responses: {
            200: answers('The results; none if nothing answers.', 'Answer'),
            400: answers('A parameter is missing or out of range.', 'Mistake'),
            429: TooOften,
            500: answers('Something broke on our side.', 'Mistake'),
          },
        },
      },
      '/api/openapi.json': {
        get: {
          operationId: 'describe',
          summary: 'This description',
          responses: {
            200: {
              description: 'OpenAPI 3.1',
              content: { 'application/json': { schema: { type: 'object' } } },
            },
            429: TooOften,
          },
        },
      },
      '/health': {
        get: {
          operationId: 'health',
          summary: 'Whether the server is well',
          responses: { 200: answers('It is.', 'Health') },
        },
      },
    },
    components: {
      schemas: {
        Answer,
        Result,
        Mistake,
        QueryLog,
        Health: {
          type: 'object',
          required: ['status', 'pages'],
          additionalProperties: false,
          properties: {
            status: { const: 'ok' },
            pages: { ...whole, description: 'Pages indexed.' },
            queryLog: { $ref: '#/components/schemas/QueryLog' },
          },
        },
      },
    },
  }
}
