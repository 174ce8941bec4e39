/**
 * Everything about the model web that can be turned. Shares are 0 to 1; rates are per week.
 * The defaults were set by comparing statistics with recorded sites (`docs/model-web.md`), never by
 * looking at what a crawl policy made of them.
 */
export const DEFAULT_KNOBS = {
  /** Domains = pages to this power. */
  domainCountExponent: 0.62,
  /** Zipf exponent of domain sizes: larger means that the first domains hold more of the pages. */
  domainSizeExponent: 0.9,
  /** A domain gets one more host (blog., docs., …) for each this many pages, up to five more. */
  pagesPerExtraHost: 90,
  /** Articles a section has on average. */
  pagesPerSection: 40,
  /** Entries on one page of a paginated listing. */
  listingSize: 20,
  /** Share of pages that belong to the web directory, whose categories list home pages. */
  directoryShare: 0.01,

  /** Topics = this times the square root of pages, within 40 and 1,500. */
  topicsPerRootPage: 2,
  /** Zipf exponent of topic sizes: head and long tail. */
  topicSizeExponent: 0.8,

  /** New pages a week as a share of the live ones. */
  newPagesPerWeek: 0.008,
  /** Share of domains that appear only after the first snapshot. */
  newDomainShare: 0.03,
  /** Share of sections that are opened after the first snapshot of their host. */
  newSectionShare: 0.03,
  /** Share of new pages that no listing shows in their first week or two. */
  unlistedShare: 0.03,
  /** Weekly chance that an ordinary page is deleted. */
  deathsPerWeek: 0.0015,
  /** One whole section is deleted in a single week for each this many pages (at least one). */
  pagesPerMassDeletion: 6000,
  /** Share of domains that vanish. */
  dyingDomainShare: 0.01,
  /** Share of pages that are gone for one week and come back. */
  outageShare: 0.004,

  /** Share of pages that are the new address of a moved page; the old one redirects. */
  moveShare: 0.01,
  /** Share of pages that have been redirects from the first snapshot on. */
  redirectStubShare: 0.006,
  /** Share of pages on hosts that mirror another small host. */
  mirrorShare: 0.015,
  /** Share of pages that are print or parameter variants of an article. */
  nearDuplicateShare: 0.03,
  /** Share of pages that are months of an endless calendar. */
  calendarShare: 0.012,
  /** Share of domains that are spam: stuffed with head terms, linking to each other. */
  spamDomainShare: 0.05,
  /** Share of hosts whose robots.txt forbids a part of them. */
  robotsHostShare: 0.02,

  /** Share of articles whose main text never changes. */
  neverChangingShare: 0.4,
  /** Median weekly chance of a main-text change for the others; heavy-tailed over pages. */
  changesPerWeek: 0.022,
  /** Chance that a week of editing is followed by another: bursts. */
  burstiness: 0.45,
  /** Share of main-text changes that turn the page towards its second topic. */
  driftShare: 0.08,
  /** Share of hosts where adverts, dates, counters or related links change outside the main text. */
  noisyHostShare: 0.3,

  /** Mean links in an article's text to pages of the same domain, and to other domains. */
  onSiteLinks: 3,
  offSiteLinks: 2,
  /** Share of cross-domain links that leave the model web. */
  externalShare: 0.25,
  /** Share of cross-domain links that go to one of the domain's few friends. */
  friendShare: 0.25,
  /** Share of cross-domain links that go to a home page. */
  homeShare: 0.2,
  /** Share of links, on-site and topical ones, that copy an earlier choice: the rich get richer. */
  popularityShare: 0.5,
  /** Share of topical cross-domain links that stay in the source's topic. */
  topicShare: 0.75,
  /** Candidates an author compares when choosing freely; the best by perceived quality wins. */
  choices: 3,
  /** How wrongly authors perceive quality: standard deviation, where quality is 0 to 1. */
  perceptionNoise: 0.25,

  /** Relative frequency of anchors in running text: what the words are taken from. */
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

  /** Queries = this times pages, within 200 and 5,000. */
  queriesPerPage: 0.05,
  /** Zipf exponent of query frequencies. */
  queryExponent: 0.85,
  /** Judged pages a query, at most. */
  judgedPages: 40,
  /** Standard deviation of an assessor's error, where relevance is 0 to 1. */
  assessorNoise: 0.1,
}

export type ModelWebKnobs = Readonly<typeof DEFAULT_KNOBS>

/** What `generateModelWeb` is asked for: a size, a seed, and any knob that differs from its default. */
export interface ModelWebOptions extends Partial<ModelWebKnobs> {
  readonly seed: number
  /** Pages ever seen. */
  readonly pages: number
  /** Weekly snapshots. */
  readonly weeks: number
}
