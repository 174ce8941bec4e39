import type { QueryDemand } from '#library/explain/explain-demand.ts'
import type { HeldCopy, KnownUrl } from '#library/explain/explain-known.ts'
import type {
  Answered,
  ExplainReport,
  KnownUrlReport,
  UnknownUrlReport,
} from '#library/explain/explain-report.ts'
import type { CurrentResult, WantingQuery } from '#policy/acquire/explain-impact.ts'
import { saidBy } from '#policy/acquire/pairs/matched-words.ts'
import type { PastFetch } from '#repository/reports/url-reports.ts'
import { ageText, momentText } from '../../text/age.ts'
import { said } from '../../text/said.ts'
import { count, shortNumber, some } from '../terminal/output.ts'
import { cut, type Line, labelled, linesText, moreLine } from '../words/labelled-lines.ts'
import { robotsText } from '../words/robots-text.ts'
import { bidLines } from './explain-bid-text.ts'
import { holdText } from './hold-text.ts'

/** Of longer lists people see the beginning; `--json` has all. */
const QUERIES_SHOWN = 4
const ANCHORS_SHOWN = 3
const RIVALS_SHOWN = 3
const FETCHES_SHOWN = 5
const ANSWERS_SHOWN = 8

const NOT_ASKED = 'not asked for yet'

/** The report for people: a screenful. */
export function explainText(report: ExplainReport, now: number): string {
  return linesText(report.known ? knownLines(report, now) : unknownLines(report))
}

function unknownLines({ url, dir, robots, heldBackBy, nearest }: UnknownUrlReport): Line[] {
  return [
    ['URL', url],
    ['state', `unknown: nothing that was fetched into ${dir} mentions it`],
    ['robots.txt', robots ? robotsText(robots) : NOT_ASKED],
    ...labelled('but', heldBackBy.map(holdText)),
    ...labelled('known there', nearest),
    ['to add it', `forager crawl '${url}' --dir ${dir} takes it up as one more seed`],
  ]
}

function knownLines(report: KnownUrlReport, now: number): Line[] {
  const { url, about, robots, fetches, heldBackBy, bid, demand, copy } = report
  const lines: Line[] = [
    ['URL', url],
    ...aboutLines(about, now),
    ['robots.txt', robots ? robotsText(robots) : NOT_ASKED],
  ]
  if (fetches.length > 0) lines.push(...fetchLines(fetches, now))
  if (copy) lines.push(...copyLines(copy, report.answers ?? []))
  if (report.refreshAt !== undefined)
    lines.push(['again', `due ${momentText(report.refreshAt)} (--refresh-after)`])
  if (bid) {
    lines.push(['', ''], ...bidLines(bid, report, now))
    const isAllOfIt = report.policy === 'impact' || report.parts?.acquire !== undefined
    if (demand) lines.push(...demandLines(demand, isAllOfIt))
  }
  if (bid || heldBackBy.length > 0) {
    const texts = heldBackBy.map(holdText)
    lines.push(...labelled('held back', texts.length > 0 ? texts : ['by nothing']))
  }
  return lines
}

function aboutLines(about: KnownUrl, now: number): Line[] {
  const { state, isFrame, foundBy, firstSeen, depth, anchors, host } = about
  const found = `found ${ageText(firstSeen, now)} (${foundBy}), ${some(depth, 'link')} from a seed`
  const linked = `${some(about.inDegree, 'page links', 'pages link')} here, ${count(about.transDomainInDegree)} of other domains`
  const gain =
    host.meanRealisedGain === undefined ? '' : `, worth ${shortNumber(host.meanRealisedGain)} each`
  return [
    ['state', `${state === 'known' ? 'not fetched yet' : state}; ${found}`],
    ...labelled('scripts', said(isFrame && 'it says next to nothing until they run: see --render')),
    ['links', `${linked}; PageRank ${about.pageRank.toFixed(2)} times the average`],
    ...labelled(
      'called',
      anchors
        .slice(0, ANCHORS_SHOWN)
        .map(
          ({ text, links, from }) =>
            `${text === '' ? 'no text' : `"${cut(text)}"`} (${some(links, 'link')}, as on ${from[0]})`,
        ),
      anchors.length - ANCHORS_SHOWN,
    ),
    [
      'host',
      `${host.host}: ${some(host.known, 'URL')} known, ${some(host.fetches, 'fetch', 'fetches')}, ${some(host.pages, 'page')}${gain}`,
    ],
  ]
}

function fetchLines(fetches: readonly PastFetch[], now: number): Line[] {
  const texts = fetches.slice(-FETCHES_SHOWN).map((fetch) => {
    const { at, outcome, status, reason, changed, newUrls, predictedGain, realisedGain } = fetch
    const { anchorGain } = fetch
    const came = said(outcome, status?.toString(), reason !== undefined && `(${reason})`).join(' ')
    return said(
      `${ageText(at, now)}: ${came}`,
      outcome === 'page' && changed === false && 'unchanged',
      newUrls > 0 && some(newUrls, 'new URL'),
      `expected ${shortNumber(predictedGain)}`,
      realisedGain !== undefined && `realised gain ${shortNumber(realisedGain)} a search`,
      anchorGain !== undefined && `${shortNumber(anchorGain)} of it by words of its links`,
    ).join(', ')
  })
  return labelled('fetched', texts, fetches.length - FETCHES_SHOWN)
}

function copyLines(copy: HeldCopy, answers: readonly Answered[]): Line[] {
  const { etag, lastModified, versions, contentHash, textLength, duplicateOf, duplicates } = copy
  const validators = said(
    etag !== undefined && `ETag ${etag}`,
    lastModified !== undefined && `Last-Modified ${lastModified}`,
  )
  const remarks = said(
    copy.noindex && 'not indexed (noindex)',
    copy.softError && 'looks like an error page',
    copy.isCut && 'longer than --max-body: only its beginning is known',
    duplicateOf !== undefined && `says the same as ${duplicateOf}`,
    duplicates.length > 0 &&
      `${some(duplicates.length, 'later page says', 'later pages say')} the same`,
  )
  const answered = answers.map(
    ({ query, rank, score, weight }) =>
      `"${cut(query)}" at rank ${rank}, score ${score.toPrecision(4)} (weight ${shortNumber(weight)})`,
  )
  return [
    ['copy', `"${cut(copy.title)}", ${count(textLength)} characters, ${contentHash.slice(0, 16)}`],
    ['versions', `${count(versions)} seen; ${validators.join(', ') || 'no validators'}`],
    ...labelled('says of itself', saidOfItself(copy)),
    ...labelled('fields', fieldLines(copy.fields)),
    ...labelled('note', remarks),
    ...labelled(
      'answers',
      answered.length > 0 ? answered.slice(0, ANSWERS_SHOWN) : ['no query of the log'],
      answered.length - ANSWERS_SHOWN,
    ),
  ]
}

/** What a page tells machines of itself, and what kind of file it is. */
function saidOfItself(copy: HeldCopy): string[] {
  const { format, type, author, publishedAt, modifiedAt, description } = copy
  const parts = said(
    format !== undefined && `a file of ${format}`,
    type !== undefined && `about ${type}`,
    author !== undefined && `by ${cut(author)}`,
    publishedAt !== undefined && `published ${momentText(publishedAt)}`,
    modifiedAt !== undefined && `modified ${momentText(modifiedAt)}`,
  )
  const lines = parts.length > 0 ? [parts.join(', ')] : []
  return description === undefined ? lines : [...lines, `"${cut(description)}"`]
}

function fieldLines(json: string | undefined): string[] {
  const fields: Readonly<Record<string, unknown>> = json === undefined ? {} : JSON.parse(json)
  return Object.entries(fields).map(([name, value]) => `${name}: ${cut([value].flat().join(', '))}`)
}

function demandLines(demand: QueryDemand, isBid: boolean): Line[] {
  const { alone, unasked, queries, rivals, madeUp, logShare } = demand
  const nobody = alone > 0 ? Math.round((100 * unasked) / alone) : 100
  const who = `${count(queries.length)} ${queries.length === 1 ? 'query' : 'queries'}`
  const source = madeUp ? ', synthetic: from what was crawled' : ''
  const worth = `${shortNumber(alone)} of quality a search by itself${isBid ? '' : ', to impact'}`
  if (madeUp && queries.length === 0)
    return [['worth', `${worth}, by its links and what pages like it are worth: no query log`]]
  return [
    ['worth', `${worth}: ${100 - nobody} % to ${who}${source}, ${nobody} % beyond what was asked`],
    ...labelled('note', said(logShare < 1 && smallLogText(logShare))),
    ...queries.slice(0, QUERIES_SHOWN).flatMap((query, i) => queryLines(query, i, alone)),
    ...moreLine(queries.length - QUERIES_SHOWN),
    ...labelled(
      'rivals',
      rivals
        .slice(0, RIVALS_SHOWN)
        .map(
          (rival) => `${rival.url} bids ${shortNumber(rival.gain)} (${sharedText(rival.queries)})`,
        ),
    ),
  ]
}

function smallLogText(share: number): string {
  return `the query log is small: this counts ${Math.round(100 * share)} % in the bid, what links say the rest`
}

function queryLines(demand: WantingQuery, i: number, alone: number): Line[] {
  const { query, weight, chance, gain, results, best, displaces, predicted } = demand
  const share = `${Math.round((100 * gain) / alone)} % of it`
  const now =
    results === 0
      ? 'no results yet'
      : displaces
        ? `best ${shortNumber(best!.score)}, tenth ${shortNumber(displaces.score)}`
        : `${some(results, 'result')}, best ${shortNumber(best!.score)}`
  return [
    [
      i === 0 ? 'wanted for' : '',
      `"${cut(query)}": ${share}, weight ${shortNumber(weight)}, top ten with ${Math.round(100 * chance)} %`,
    ],
    ['', `${signsOf(demand)}; now ${now}`],
    ...predictionLines(predicted, displaces),
  ]
}

function signsOf({ matched, linkedFrom }: WantingQuery): string {
  const { missing } = matched
  const ranks = linkedFrom.slice(0, 5).map(({ rank }) => rank)
  return said(
    ...saidBy(matched),
    missing.length > 0 && `nothing says ${missing.join(' ')}`,
    ranks.length === 1 && `result ${ranks[0]} links here`,
    ranks.length > 1 && `results ${ranks.join(', ')} link here`,
  ).join(', ')
}

function predictionLines(
  predicted: WantingQuery['predicted'],
  tenth: CurrentResult | undefined,
): Line[] {
  if (!predicted) return tenth ? [['', `if it comes in, ${tenth.url} goes`]] : []
  const expected = `expected score ${shortNumber(predicted.score)}, rank ${predicted.rank}`
  if (!tenth) return [['', `${expected}: there is room in the top ten`]]
  const isIn = predicted.rank <= 10
  return [['', `${expected}: ${isIn ? 'pushes out' : 'to come in it must beat'} ${tenth.url}`]]
}

function sharedText(queries: readonly string[]): string {
  const more = queries.length > 1 ? ` and ${queries.length - 1} more` : ''
  return `"${cut(queries[0])}"${more}`
}
