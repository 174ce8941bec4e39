/** What kind of site a host is; numbers are relative to the knobs unless they say otherwise. */
export interface Archetype {
  readonly name: string
  /** How common it is among large and among small domains. */
  readonly large: number
  readonly small: number
  readonly births: number
  readonly deaths: number
  readonly edits: number
  readonly onSite: number
  readonly offSite: number
  /** Mean of latent quality on the logistic scale. */
  readonly quality: number
  /** Listings are paginated, newest first; otherwise a section's hub lists everything. */
  readonly paginated: boolean
  /** Chance that it carries adverts, counters and the like, relative to the knob. */
  readonly noise: number
}

const kinds = {
  news: {
    large: 5,
    small: 1,
    births: 3,
    deaths: 0.6,
    edits: 1.6,
    onSite: 1.2,
    offSite: 0.7,
    quality: 0.2,
    paginated: true,
    noise: 1.8,
  },
  blog: {
    large: 2,
    small: 6,
    births: 1.2,
    deaths: 0.6,
    edits: 0.7,
    onSite: 0.8,
    offSite: 1.8,
    quality: 0,
    paginated: true,
    noise: 1.2,
  },
  reference: {
    large: 4,
    small: 2,
    births: 0.4,
    deaths: 0.4,
    edits: 1.2,
    onSite: 1.8,
    offSite: 0.8,
    quality: 0.7,
    paginated: false,
    noise: 0.4,
  },
  shop: {
    large: 4,
    small: 2,
    births: 1.2,
    deaths: 2.5,
    edits: 1.8,
    onSite: 1,
    offSite: 0.2,
    quality: -0.4,
    paginated: true,
    noise: 1.6,
  },
  forum: {
    large: 3,
    small: 1,
    births: 2,
    deaths: 1,
    edits: 1.2,
    onSite: 0.6,
    offSite: 1.2,
    quality: -0.6,
    paginated: true,
    noise: 1.8,
  },
  institution: {
    large: 3,
    small: 4,
    births: 0.5,
    deaths: 0.8,
    edits: 0.8,
    onSite: 1,
    offSite: 0.8,
    quality: 0.4,
    paginated: false,
    noise: 0.5,
  },
  personal: {
    large: 0,
    small: 6,
    births: 0.4,
    deaths: 0.8,
    edits: 0.4,
    onSite: 0.8,
    offSite: 1.5,
    quality: -0.1,
    paginated: false,
    noise: 0.4,
  },
  directory: {
    large: 0,
    small: 0,
    births: 0.2,
    deaths: 0.2,
    edits: 0.6,
    onSite: 0.3,
    offSite: 1,
    quality: 0.3,
    paginated: false,
    noise: 0.3,
  },
  spam: {
    large: 0,
    small: 0,
    births: 1.5,
    deaths: 3,
    edits: 0.5,
    onSite: 1,
    offSite: 3,
    quality: -2.6,
    paginated: false,
    noise: 1,
  },
}

export type ArchetypeName = keyof typeof kinds

export const ARCHETYPES = Object.fromEntries(
  Object.entries(kinds).map(([name, kind]) => [name, { name, ...kind }]),
) as Record<ArchetypeName, Archetype>

/** What the further hosts of a large domain are called, and what kind of site they are. */
export const EXTRA_HOSTS: readonly (readonly [label: string, archetype: ArchetypeName])[] = [
  ['blog', 'blog'],
  ['docs', 'reference'],
  ['news', 'news'],
  ['forum', 'forum'],
  ['shop', 'shop'],
  ['help', 'reference'],
  ['archive', 'institution'],
]
