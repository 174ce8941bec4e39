/** What `forager init` asks. */
export interface InitAnswers {
  readonly seed: string
  readonly contact: string
  /** Empty for none. */
  readonly queryLog: string
  readonly isService: boolean
  readonly budget: number
}

/** A configuration with a word on each part; keys that begin with // are comments. */
export function commentedConfig({
  seed,
  contact,
  queryLog,
  isService,
  budget,
}: InitAnswers): string {
  const service = {
    '// fetchesADay': 'at most so many fetches in any 24 hours',
    fetchesADay: budget,
    ...(queryLog !== '' && {
      '// queryLog': 'a query log that grows: what is new in it is taken in',
      queryLog,
      queryLogFormat: 'csv',
    }),
    '// port': 'the search page, and the control room at /control, on this machine alone',
    port: 8080,
    control: true,
  }
  const config = {
    '//': 'Settings of Forager, as forager init wrote them. docs/reference/configuration.md lists all there are.',
    '// seeds': 'where the crawl begins',
    seeds: [seed],
    '// scope': 'host, domain or anywhere: how far to stray from the seeds',
    scope: { reach: 'domain' },
    '// identity': 'whom owners of sites can write to; it is sent with every request',
    identity: { contact },
    '// dir': 'where everything is kept; a crawl goes on where it was',
    dir: 'forager-data',
    ...(isService
      ? { '// service': 'forager run goes by these', service }
      : { '// budget': 'fetches in all; robots.txt files are free', budget }),
    '// politeness': 'seconds between two requests to one host; robots.txt may ask for more',
    politeness: { delaySeconds: 1 },
  }
  return `${JSON.stringify(config, undefined, 2)}\n`
}
