import type { Frontier } from '#frontier/frontier.ts'
import { defaultScoring } from '#search/full-text/default-search.ts'
import type { Alarm } from './alarms/alarms.ts'
import { CHANGE_RATES } from './change-history.ts'
import type { Knowledge } from './knowledge.ts'
import type { Lessons } from './lessons.ts'
import { expectedNews } from './yields/share-book.ts'

/** Predictions, to be corrected by what was learnt. */
const PREDICTIONS = [0.001, 0.01, 0.1, 1, 10]

/** What to ask of an index, and which contents to ask the frontier for. */
interface Probes {
  readonly now: number
  readonly queries: readonly string[]
  readonly contentHashes: readonly string[]
}

/** All that can be seen of what a crawl knows, down to the last bit: equal for crawls that know the same. */
export function whatIsKnown(known: Knowledge, probes: Probes) {
  const { cycle, spent, bytes, frontier, lessons, resting, seeds } = known
  return {
    ledger: { cycle, spent, bytes },
    seeds,
    urls: urlsOf(frontier, probes),
    hosts: hostsOf(frontier),
    patterns: frontier.patterns.quota(),
    visited: frontier.visited(),
    visits: frontier.graphFacts(0, 1).visits,
    lessons: lessonsOf(lessons, probes.now),
    index: indexOf(known, probes),
    tracked: known.tracker?.answers.queries.map(({ text, weight }, query) => ({
      ...{ text, weight, top: known.tracker!.answers.topOf(query) },
    })),
    resting: { hosts: resting.at(probes.now), urls: restingUrls(known, probes.now) },
  }
}

function urlsOf(frontier: Frontier, { now, contentHashes }: Probes) {
  const { urls, links, duplicates, claims, texts, validators, unavailableAfter } = frontier
  const hosts = urls.hosts()
  const barren = frontier.patterns.quota()
  return Array.from({ length: frontier.size }, (_, url) => {
    const { targets, anchors, rels } = links.rowOf(url)
    const lastVisit = frontier.lastVisitOf(url)
    return {
      ...{
        address: urls.urlOf(url),
        source: frontier.discoveries.sourceOf(url),
        depth: frontier.discoveries.depthOf(url),
      },
      ...{
        firstSeen: frontier.discoveries.firstSeenOf(url),
        finder: frontier.discoveries.finderOf(url),
      },
      ...{ state: frontier.stateOf(url), lastVisit, retryAt: frontier.retryAtOf(url) },
      ...{ failures: frontier.failuresOf(url), isLost: frontier.isLost(url) },
      ...{ isSeed: frontier.isSeed(url), inLinks: frontier.inLinksOf(url) },
      contents: contentHashes.filter((hash) => !frontier.isNewContent(url, hash)),
      links: Array.from(targets, (target, i) => [target, links.anchors.at(anchors[i]), rels[i]]),
      duplicates: [...duplicates.duplicatesOf(url)],
      ...{ original: duplicates.notedOriginal(url), isHidden: duplicates.isHidden(url) },
      ...{ text: texts.keyOf(url), validators: validators.of(url) },
      ...{ until: unavailableAfter.get(url), pattern: frontier.patterns.numberOf(url) },
      isBarren: barren !== undefined && Number.isFinite(barren.most[barren.groups[url]]),
      // Numbers of classes are names: the first URL of a class tells which it is.
      class: frontier.classes.all().indexOf(frontier.classes.of(url)),
      sign: frontier.renderings.signOf(url),
      isRendered: frontier.renderings.isRendered(url),
      claim: claims.oddsFactorOf(url, hosts[url], lastVisit),
      claims: [0, lastVisit, now].map((time) => [
        claims.saysChanged(url, time),
        claims.saysUnchanged(url, hosts[url], time),
      ]),
    }
  })
}

function hostsOf({ urls, lineages, claims }: Frontier) {
  return Array.from({ length: urls.hostCount }, (_, host) => ({
    ...{
      name: urls.hostName(host),
      lineage: lineages.of(host),
      trust: claims.oddsFactor(host, true),
    },
    odds: [claims.oddsFactor(host, true), claims.oddsFactor(host, false)],
    firstContacts: [0.1, 1].map((share) => lineages.firstContactsLeft(lineages.of(host), share, 7)),
  }))
}

function renderingsOf({ frontier, histories: { renderings } }: Lessons) {
  const hosts = frontier.urls.hosts()
  return Array.from({ length: frontier.size }, (_, url) => {
    const [host, classNumber] = [hosts[url], frontier.classes.of(url)]
    return {
      cost: renderings.costs.of(host),
      chance: renderings.chanceOf(host, classNumber),
      forecasts: (['shell', 'thin'] as const).map((sign) =>
        renderings.forecast(sign, host, classNumber),
      ),
    }
  })
}

function lessonsOf(lessons: Lessons, now: number) {
  const { frontier, histories, corrections } = lessons
  const { changes, gains, gone, shares, firstYields } = histories
  const { calibrations } = corrections
  const pages = shares.pages()
  return {
    renderings: renderingsOf(lessons),
    urls: Array.from({ length: frontier.size }, (_, url) => {
      const logs = new Float64Array(CHANGE_RATES.length)
      changes.logLikelihoods(url, logs)
      const classNumber = frontier.classes.of(url)
      return {
        ...{ interval: changes.intervalOf(url), logs },
        ...{ gains: gains.gainsOf(url), pace: gains.paceOf(url) },
        gainPerView: gains.gainPerViewOf(classNumber),
        anchorPace: gains.anchorPaceOf(url),
        gone: [gone.goneADay(classNumber), gone.oddsFactorOf(url, frontier.inLinksOf(url))],
        first: [histories.firstGainOf(url), histories.firstPredictionOf(url)],
        firstYields: [
          firstYields.of(frontier.urls.hostNumberOf(url), classNumber),
          firstYields.ofList('robots.txt', frontier.urls.hostNumberOf(url)),
        ],
        corrected: Object.values(calibrations).map((calibration) =>
          PREDICTIONS.map((predicted) => calibration.correct(classNumber, predicted)),
        ),
      }
    }),
    yields: expectedNews(histories, frontier, now / 86_400, pages),
    beliefs: gains.beliefs(),
    paces: [gains.pacePerView, gains.meanPace, gains.gainPerView, gone.gainPerView(1, 0.5)],
    alarms: alarmsOf(lessons),
    fetchesPerDay: lessons.fetchesPerDay(now),
  }
}

/** Alarms, with the first URL of a class for its number, in the order of these. */
function alarmsOf({ frontier, watch }: Lessons) {
  const classes = frontier.classes.all()
  const named = (alarms: readonly Alarm[]) =>
    alarms
      .map(({ classNumber, ...alarm }) => ({ ...alarm, class: classes.indexOf(classNumber) }))
      .sort((a, b) => a.class - b.class)
  const { vanishing, bursts } = watch.alarms()
  return { vanishing: named(vanishing), bursts: named(bursts) }
}

function indexOf({ indexer }: Knowledge, { queries }: Probes) {
  if (!indexer) return undefined
  const { index } = indexer
  return {
    size: index.size,
    statistics: index.statistics(),
    answers: queries.map((text) => index.search(index.prepare(text, defaultScoring), 50)),
  }
}

function restingUrls({ frontier, resting }: Knowledge, now: number): number[] {
  const urls = Array.from({ length: frontier.size }, (_, url) => url)
  return urls.filter((url) => resting.has(url, now))
}
