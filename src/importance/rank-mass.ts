import { type Csr, rowCount } from '#numeric/csr.ts'

interface RankMassOptions {
  /** Share of steps that follow a link; 0.85 unless given. */
  readonly damping?: number
  /** Stop once all bounds together miss no more mass than this; a millionth unless given. */
  readonly tolerance?: number
}

/**
 * For each URL a lower bound of the time spent there by a surfer who starts, and starts again, at the
 * trusted URLs. For a URL not fetched it is the probability of the known paths that end there. A
 * surfer at a page without links is lost, so the sum is 1 only where every page links.
 *
 * @paper ChoSchonfeld2007 §3.3 — the window of a round is every page where half the mean or more
 * waits, so that a round passes on at least half of what is left.
 */
export function rankMass(
  links: Csr,
  trusted: Uint32Array,
  options: RankMassOptions = {},
): Float64Array {
  const { damping = 0.85, tolerance = 1e-6 } = options
  const received = new Float64Array(rowCount(links))
  // What waits at a page, the paper's PathProb, is what it received and has not passed on.
  const passedOn = new Float64Array(received.length)
  for (const url of trusted) received[url] = (1 - damping) / trusted.length
  // Mass x that waits brings less than x·d/(1−d) to others, along all paths to come.
  const enough = (tolerance * (1 - damping)) / damping
  for (;;) {
    const { mass, pages } = waitingMass(links, received, passedOn)
    if (mass <= enough) return received
    passOn(links, received, passedOn, damping, mass / (2 * pages))
  }
}

/** The mass that waits at pages with links, and how many such pages there are. */
function waitingMass(
  { offsets }: Csr,
  received: Float64Array,
  passedOn: Float64Array,
): { mass: number; pages: number } {
  let mass = 0
  let pages = 0
  for (let url = 0; url < received.length; url++) {
    if (received[url] === passedOn[url] || offsets[url] === offsets[url + 1]) continue
    mass += received[url] - passedOn[url]
    pages++
  }
  return { mass, pages }
}

/** One round: every page where `least` or more waits gives its links their shares. */
function passOn(
  links: Csr,
  received: Float64Array,
  passedOn: Float64Array,
  damping: number,
  least: number,
): void {
  const { offsets, targets } = links
  for (let url = 0; url < received.length; url++) {
    const waiting = received[url] - passedOn[url]
    if (waiting < least) continue
    const start = offsets[url]
    const end = offsets[url + 1]
    const share = (damping * waiting) / (end - start)
    passedOn[url] = received[url]
    for (let edge = start; edge < end; edge++) received[targets[edge]] += share
  }
}
