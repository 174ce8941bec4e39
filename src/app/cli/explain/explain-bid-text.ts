import type { ListEvidence } from '#learn/yields/first-yields.ts'
import type { ExplainedAlarm, ExplainedParts } from '#library/explain/explain-parts.ts'
import type { KnownUrlReport } from '#library/explain/explain-report.ts'
import type { ExplainedBid } from '#library/explain/explained-bid.ts'
import { thinksInQuality } from '#library/settings/policy-names.ts'
import { PURPOSES } from '#policy/bids.ts'
import { evidenceText } from '#policy/planning/by-chance.ts'
import { ageText } from '../../text/age.ts'
import { said } from '../../text/said.ts'
import { TASK_NAMES } from '../../text/task-names.ts'
import { count, daysText, duration, shortNumber, some } from '../terminal/output.ts'
import { type Line, labelled } from '../words/labelled-lines.ts'

/** What is bid for a URL, where that puts it, and what it is made of. */
export function bidLines(
  bid: ExplainedBid,
  { policy, parts, demand }: Pick<KnownUrlReport, 'policy' | 'parts' | 'demand'>,
  now: number,
): Line[] {
  const plan = `${bid.planned ? 'in' : 'not in'} a plan of ${bid.planBudget}`
  const place = `place ${count(bid.place)} of ${count(bid.bids)} bids, ${plan}`
  const inQuality = policy !== undefined && thinksInQuality(policy)
  const isSaid = parts ? inQuality : demand !== undefined && policy === 'impact'
  return [
    ['bid', `${shortNumber(bid.gain)} by ${policy}: ${place}${priceText(bid)}`],
    ...labelled('board', said(bid.board && boardText(bid.board, bid.planned))),
    ...labelled('why', said(!isSaid && bid.why)),
    ...labelled('parts', said(parts && sumText(bid, parts, inQuality))),
    ...(parts && inQuality ? partLines(parts) : []),
    ...(parts ? alarmLines(parts, now) : []),
  ]
}

function boardText(
  { place, of, host, inSeconds }: NonNullable<ExplainedBid['board']>,
  isPlanned: boolean,
): string {
  const when = inSeconds > 0 ? `sent after ${duration(inSeconds)} at its pace` : 'sent first'
  return `place ${count(place)} of ${count(of)} on ${host}: ${when}, if ${isPlanned ? '' : 'it is above the price and '}nothing better comes`
}

function priceText({ price, isAbovePrice }: ExplainedBid): string {
  if (price === undefined) return ''
  return `; ${isAbovePrice ? 'above' : 'not above'} the price, ${shortNumber(price)}`
}

/** Parts add up where they compete for one price; in a split each is on its own. */
function sumText(
  { price, expected = 0 }: ExplainedBid,
  parts: ExplainedParts,
  inQuality: boolean,
): string {
  const partOf = (task: (typeof PURPOSES)[number]) =>
    parts[task] ?? (task === 'acquire' ? parts.render : undefined)
  const sums = PURPOSES.flatMap((task) => {
    const part = partOf(task)
    return part ? [`${TASK_NAMES[task]} ${shortNumber(part.worth)}`] : []
  }).join(price === undefined ? ', ' : ' + ')
  const unit = inQuality
    ? `(quality × days); ${shortNumber(expected)} of quality at once`
    : '(as each bidder counts)'
  return `${sums} ${unit}`
}

function partLines({ acquire, render, refresh, discover, address }: ExplainedParts): Line[] {
  return [
    ...labelled('new page', said(acquire && acquireText(acquire))),
    ...labelled('rendering', said(render && renderText(render))),
    ...labelled('freshness', said(refresh && refreshText(refresh))),
    ...labelled('new links', said(discover && discoverText(discover))),
    ...labelled('address', said(address && evidenceText(address))),
  ]
}

function alarmLines({ alarms, className }: ExplainedParts, now: number): Line[] {
  return labelled(
    'alarm',
    alarms.map((alarm) => alarmText(alarm, className, now)),
  )
}

function acquireText(part: NonNullable<ExplainedParts['acquire']>): string {
  const { value, horizonDays, correction } = part
  return `${shortNumber(value)} of quality for ${horizonDays} days${correctedText(correction)}`
}

function renderText(part: NonNullable<ExplainedParts['render']>): string {
  const { value, share, cost, ofClass, ofHost, horizonDays } = part
  const known =
    ofHost === 0
      ? 'as is thought before any was tried'
      : `by ${count(ofClass)} renderings of such addresses, ${count(ofHost)} of the host`
  return `${shortNumber(value)} of quality for ${horizonDays} days, ${Math.round(100 * share)} % of what the page may be worth (${known}), at the cost of ${some(cost, 'fetch', 'fetches')}`
}

function refreshText(part: NonNullable<ExplainedParts['refresh']>): string {
  const { ageDays, changedChance, staleDays, gainOfChange, clicks, correction, gone } = part
  const { gainOfOthers } = part
  const odds = (factor: number, signs: string) =>
    Math.abs(factor - 1) < 0.05 ? '' : ` (odds times ${shortNumber(factor)} by ${signs})`
  const percent = (chance: number) =>
    `${chance < 0.01 ? shortNumber(100 * chance) : Math.round(100 * chance)} %`
  return said(
    `${daysText(ageDays)} old`,
    `changed with ${percent(changedChance)}${odds(part.oddsFactor, 'claims')}`,
    `stale for ${daysText(staleDays)}`,
    `a change gains ${shortNumber(gainOfChange)}${correctedText(correction)}`,
    gainOfOthers > 0 && `others gain ${shortNumber(gainOfOthers)} by words of its links`,
    gone && `gone with ${percent(gone.chance)}${odds(gone.oddsFactor, 'lost links and alarms')}`,
    gone && `which would gain ${shortNumber(gone.gain)} for ${daysText(gone.days)}`,
    `seen ${shortNumber(clicks)} times a search`,
  ).join(', ')
}

function discoverText(part: NonNullable<ExplainedParts['discover']>): string {
  const { links, worthOfLink, days, correction, list } = part
  const grounds = list ? ` (${listText(list)})` : correctedText(correction)
  return `about ${shortNumber(links)}${grounds}, each worth ${shortNumber(worthOfLink)} beyond the price, for ${daysText(days)}`
}

const LISTS: Readonly<Record<ListEvidence['kind'], string>> = {
  'robots.txt': 'sitemaps that robots.txt names',
  index: 'sitemaps that an index names',
  pages: 'feeds and sitemaps that pages name',
  header: 'URLs that Link headers name',
  'usual place': 'files at the usual place of a sitemap',
}

/** `12 sitemaps that robots.txt names brought 240 each, 2 of its host 1,100`. */
function listText({ kind, all, ofHost }: ListEvidence): string {
  const mean = ({ found, fetches }: ListEvidence['all']) => shortNumber(found / fetches)
  if (all.fetches === 0) return `no ${LISTS[kind]} were read yet: as they mostly do`
  const here = ofHost.fetches > 0 ? `, ${count(ofHost.fetches)} of its host ${mean(ofHost)}` : ''
  return `${count(all.fetches)} ${LISTS[kind]} brought ${mean(all)} each${here}`
}

function correctedText(correction: number): string {
  return Math.abs(correction - 1) < 0.005 ? '' : ` (corrected by ${correction.toFixed(2)})`
}

function alarmText(
  { kind, since, factor, applies }: ExplainedAlarm,
  className: string,
  now: number,
): string {
  const what = kind === 'vanishing' ? 'vanish' : 'show new links'
  const effect = applies ? 'it is looked at again' : 'this one was looked at since'
  return `addresses like ${className} ${what} ${shortNumber(factor)} times as often since ${ageText(since, now)}: ${effect}`
}
