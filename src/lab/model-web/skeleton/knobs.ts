/**
 * Everything about the model web that can be turned. Shares are 0 to 1; rates are per week.
 * The defaults were set by comparing statistics with recorded sites (`docs/model-web.md`), never by
 * looking at what a crawl policy made of them.
 */
export interface ModelWebKnobs {
  /** Domains = pages to this power. */
  readonly domainCountExponent: number
  /** Zipf exponent of domain sizes: larger means that the first domains hold more of the pages. */
  readonly domainSizeExponent: number
  /** A domain gets one more host (blog., docs., …) for each this many pages, up to five more. */
  readonly pagesPerExtraHost: number
  /** Articles a section has on average. */
  readonly pagesPerSection: number
  /** Entries on one page of a paginated listing. */
  readonly listingSize: number
  /** Share of pages that belong to the web directory, whose categories list home pages. */
  readonly directoryShare: number

  /** Topics = this times the square root of pages, within 40 and 1,500. */
  readonly topicsPerRootPage: number
  /** Zipf exponent of topic sizes: head and long tail. */
  readonly topicSizeExponent: number

  /** New pages a week as a share of the live ones. */
  readonly newPagesPerWeek: number
  /** Share of domains that appear only after the first snapshot. */
  readonly newDomainShare: number
  /** Share of sections that are opened after the first snapshot of their host. */
  readonly newSectionShare: number
  /** Share of new pages that no listing shows in their first week or two. */
  readonly unlistedShare: number
  /** Weekly chance that an ordinary page is deleted. */
  readonly deathsPerWeek: number
  /** One whole section is deleted in a single week for each this many pages (at least one). */
  readonly pagesPerMassDeletion: number
  /** Share of domains that vanish. */
  readonly dyingDomainShare: number
  /** Share of pages that are gone for one week and come back. */
  readonly outageShare: number

  /** Share of pages that are the new address of a moved page; the old one redirects. */
  readonly moveShare: number
  /** Share of pages that have been redirects from the first snapshot on. */
  readonly redirectStubShare: number
  /** Share of pages on hosts that mirror another small host. */
  readonly mirrorShare: number
  /** Share of pages that are print or parameter variants of an article. */
  readonly nearDuplicateShare: number
  /** Share of pages that are months of an endless calendar. */
  readonly calendarShare: number
  /** Share of domains that are spam: stuffed with head terms, linking to each other. */
  readonly spamDomainShare: number
  /** Share of hosts whose robots.txt forbids a part of them. */
  readonly robotsHostShare: number

  /** Share of articles whose main text never changes. */
  readonly neverChangingShare: number
  /** Median weekly chance of a main-text change for the others; heavy-tailed over pages. */
  readonly changesPerWeek: number
  /** Chance that a week of editing is followed by another: bursts. */
  readonly burstiness: number
  /** Share of main-text changes that turn the page towards its second topic. */
  readonly driftShare: number
  /** Share of hosts where adverts, dates, counters or related links change outside the main text. */
  readonly noisyHostShare: number

  /** Mean links in an article's text to pages of the same domain, and to other domains. */
  readonly onSiteLinks: number
  readonly offSiteLinks: number
  /** Share of cross-domain links that leave the model web. */
  readonly externalShare: number
  /** Share of cross-domain links that go to one of the domain's few friends. */
  readonly friendShare: number
  /** Share of cross-domain links that go to a home page. */
  readonly homeShare: number
  /** Share of links, on-site and topical ones, that copy an earlier choice: the rich get richer. */
  readonly popularityShare: number
  /** Share of topical cross-domain links that stay in the source's topic. */
  readonly topicShare: number
  /** Candidates an author compares when choosing freely; the best by perceived quality wins. */
  readonly choices: number
  /** How wrongly authors perceive quality: standard deviation, where quality is 0 to 1. */
  readonly perceptionNoise: number

  /** Relative frequency of anchors in running text: what the words are taken from. */
  readonly anchors: Readonly<
    Record<
      | 'title'
      | 'titleStart'
      | 'topicWord'
      | 'topicWords'
      | 'long'
      | 'generic'
      | 'url'
      | 'empty'
      | 'noise',
      number
    >
  >

  /** Queries = this times pages, within 200 and 5,000. */
  readonly queriesPerPage: number
  /** Zipf exponent of query frequencies. */
  readonly queryExponent: number
  /** Judged pages a query, at most. */
  readonly judgedPages: number
  /** Standard deviation of an assessor's error, where relevance is 0 to 1. */
  readonly assessorNoise: number
}

export const DEFAULT_KNOBS: ModelWebKnobs = {
  domainCountExponent: 0.62,
  domainSizeExponent: 0.9,
  pagesPerExtraHost: 90,
  pagesPerSection: 40,
  listingSize: 20,
  directoryShare: 0.01,
  topicsPerRootPage: 2,
  topicSizeExponent: 0.8,
  newPagesPerWeek: 0.008,
  newDomainShare: 0.03,
  newSectionShare: 0.03,
  unlistedShare: 0.03,
  deathsPerWeek: 0.0015,
  pagesPerMassDeletion: 6000,
  dyingDomainShare: 0.01,
  outageShare: 0.004,
  moveShare: 0.01,
  redirectStubShare: 0.006,
  mirrorShare: 0.015,
  nearDuplicateShare: 0.03,
  calendarShare: 0.012,
  spamDomainShare: 0.05,
  robotsHostShare: 0.02,
  neverChangingShare: 0.4,
  changesPerWeek: 0.022,
  burstiness: 0.45,
  driftShare: 0.08,
  noisyHostShare: 0.3,
  onSiteLinks: 3,
  offSiteLinks: 2,
  externalShare: 0.25,
  friendShare: 0.25,
  homeShare: 0.2,
  popularityShare: 0.5,
  topicShare: 0.75,
  choices: 3,
  perceptionNoise: 0.25,
  anchors: {
    title: 0.3,
    titleStart: 0.16,
    topicWord: 0.14,
    topicWords: 0.12,
    long: 0.04,
    generic: 0.1,
    url: 0.04,
    empty: 0.04,
    noise: 0.06,
  },
  queriesPerPage: 0.05,
  queryExponent: 0.85,
  judgedPages: 40,
  assessorNoise: 0.1,
}

/** What `generateModelWeb` is asked for: a size, a seed, and any knob that differs from its default. */
export interface ModelWebOptions extends Partial<ModelWebKnobs> {
  readonly seed: number
  /** Pages ever seen. */
  readonly pages: number
  /** Weekly snapshots. */
  readonly weeks: number
}
