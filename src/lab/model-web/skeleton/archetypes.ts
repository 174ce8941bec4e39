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

// biome-ignore format: a table
const KINDS = {
  //              large  small  births  deaths  edits  onSite  offSite  quality  paginated  noise
  news: [            5,     1,      3,    0.6,   1.6,    1.2,     0.7,     0.2,      true,    1.8],
  blog: [            2,     6,    1.2,    0.6,   0.7,    0.8,     1.8,       0,      true,    1.2],
  reference: [       4,     2,    0.4,    0.4,   1.2,    1.8,     0.8,     0.7,     false,    0.4],
  shop: [            4,     2,    1.2,    2.5,   1.8,      1,     0.2,    -0.4,      true,    1.6],
  forum: [           3,     1,      2,      1,   1.2,    0.6,     1.2,    -0.6,      true,    1.8],
  institution: [     3,     4,    0.5,    0.8,   0.8,      1,     0.8,     0.4,     false,    0.5],
  personal: [        0,     6,    0.4,    0.8,   0.4,    0.8,     1.5,    -0.1,     false,    0.4],
  directory: [       0,     0,    0.2,    0.2,   0.6,    0.3,       1,     0.3,     false,    0.3],
  spam: [            0,     0,    1.5,      3,   0.5,      1,       3,    -2.6,     false,      1],
} as const

export type ArchetypeName = keyof typeof KINDS

function archetypeOf(name: ArchetypeName): Archetype {
  const [large, small, births, deaths, edits, onSite, offSite, quality, paginated, noise] =
    KINDS[name]
  const links = { onSite, offSite }
  return { name, large, small, births, deaths, edits, ...links, quality, paginated, noise }
}

export const ARCHETYPE_NAMES = Object.keys(KINDS) as ArchetypeName[]

export const ARCHETYPES = Object.fromEntries(
  ARCHETYPE_NAMES.map((name) => [name, archetypeOf(name)]),
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
