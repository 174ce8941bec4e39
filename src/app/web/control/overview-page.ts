import type { CrawlProgress, ServiceWait } from '#library/control/progress-file.ts'
import type { Standing } from '#library/status/status.ts'
import type { Overview } from '#library/views/overview.ts'
import { type Problem, standingProblems } from '#library/views/problems.ts'
import { momentText } from '../../text/age.ts'
import { TASK_NAMES } from '../../text/task-names.ts'
import { type Html, html } from '../html.ts'
import { dataTable, later, laterSection, laterTiles, section, tiles } from './blocks/blocks.ts'
import { lineChart, momentOn, stackedBars } from './blocks/charts.ts'
import { amount, count, hostLink, pathTo, percent, spanText, when } from './blocks/words.ts'
import { toldProblem } from './problem-words.ts'

/** How is it going? */
export function overviewContent(view: Overview, now: number): Html {
  const { status, course } = view
  return html`${tiles([
    doingTile(view),
    {
      name: 'Fetches',
      value: count(view.running?.spent ?? status.spent),
      note: meansText(view.running, status.spent),
    },
    {
      name: 'URLs known',
      value: count(view.running?.known ?? status.known),
      note: html`on <a href="${pathTo('hosts')}">${count(status.hosts)} ${status.hosts === 1 ? 'host' : 'hosts'}</a>`,
    },
    status.realisedGain !== undefined && {
      name: 'Quality gained',
      value: amount(status.realisedGain),
      note: status.spent > 0 && `${amount(status.realisedGain / status.spent)} a fetch`,
    },
    course.at(-1)?.price !== undefined && {
      name: 'Price',
      value: amount(course.at(-1)!.price!),
      note: html`of the <a href="${pathTo('board')}">last fetch afforded</a>`,
    },
  ])}
${laterTiles(pathTo('part/standing'), STANDING)}
${problemSection(view)}
${laterSection('needs', 'What searchers miss most, and what would help', pathTo('part/needs'), 'Questions that are asked often and answered badly; beside each, the page not fetched yet that it expects most of.')}
${courseSections(view)}
${laterSection('left', 'What is left to gain', pathTo('part/left'), 'What the rest of the budget, or as many fetches again, is expected to bring.')}
${section('states', 'What became of URLs', html`${later(pathTo('part/states'))}${contentsText(view, now)}`)}`
}

/** What is known once the whole log was gone through. */
const STANDING = ['Pages held', 'Waiting', 'Links', 'Barren patterns']

/** What is held and waits, and problems that only the whole crawl tells. */
export function standingContent(view: Standing, dir: string): Html {
  const { states, board, links, throttledPatterns } = view
  const values = [
    { value: count(states.page ?? 0), note: 'that searchers can find' },
    { value: count(board.urls), note: waitingText(board) },
    { value: count(links), note: 'between pages held and known' },
    { value: count(throttledPatterns), note: 'shapes of addresses that bring nothing new' },
  ]
  const problems = standingProblems(view)
  return html`${tiles(STANDING.map((name, i) => ({ name, ...values[i] })))}${problems.length > 0 && problemList(problems, dir)}`
}

function waitingText({ hosts, longest }: Standing['board']): string {
  if (!longest) return 'nothing to be fetched first'
  const rows = hosts === 1 ? 'on 1 host' : `on ${count(hosts)} hosts`
  return `${rows}; the longest row takes ${spanText(longest.seconds)}`
}

const STATE_WORDS: Readonly<Record<string, string>> = {
  known: 'not fetched yet',
  page: 'held, and found by searchers unless it asks not to be',
  redirect: 'leads to another address',
  gone: 'there is no such page (any more)',
  denied: 'the host refuses us (401, 403)',
  disallowed: 'robots.txt forbids it',
  forbidden: 'an address that is not fetched, as one inside a network',
  failed: 'no answer, or an error of the host; tried again later',
  unreadable: 'not a kind of content that can be read',
}

/** URLs by state. */
export function statesContent({ states }: Standing): Html {
  return dataTable({
    caption: 'URLs by state',
    rows: Object.entries(states).filter(([, urls]) => urls > 0),
    columns: [
      ['State', ([state]) => state],
      ['URLs', ([, urls]) => count(urls), 'number'],
      ['Meaning', ([state]) => STATE_WORDS[state]],
    ],
  })
}

function doingTile({ running, course }: Overview) {
  if (!running) {
    const last = course.at(-1)
    return {
      name: 'Now',
      value: 'At rest',
      note: last
        ? html`last fetches <time datetime="${new Date(last.at * 1000).toISOString()}">${momentText(last.at)}</time>`
        : 'no fetch yet',
    }
  }
  const { doing, fetchesPerSecond, waitsFor, service } = running
  const rate = `${amount(60 * fetchesPerSecond)} fetches a minute`
  const waits = service?.waits ? waitText(service.waits) : undefined
  return {
    name: 'Now',
    value: { crawling: 'Crawling', paused: 'Paused', stopping: 'Stopping', reloading: 'Reloading' }[
      doing
    ],
    note: waits ?? (waitsFor ? `waits for ${waitsFor.host}` : rate),
  }
}

function waitText({ why, until }: ServiceWait): string {
  return `waits until ${momentText(until)}: ${why}`
}

function meansText(running: CrawlProgress | undefined, spent: number): string | undefined {
  if (running?.service)
    return `${count(running.service.leftInDay)} of ${count(running.service.fetchesADay)} left in these 24 hours`
  if (running?.budget !== undefined) return `of ${count(running.budget)}`
  return spent === 0 ? undefined : 'of all runs'
}

function problemSection({ problems, dir }: Overview): Html {
  if (problems.length === 0)
    return section('problems', 'Problems', html`<p class="fine">Nothing wants you now.</p>`)
  return section('problems', 'Problems that want a person', problemList(problems, dir))
}

function problemList(problems: readonly Problem[], dir: string): Html {
  const items = problems.map((problem) => {
    const { what, advice, host } = toldProblem(problem, dir)
    return html`<li><strong>${what}</strong> <span>${advice}</span>${host !== undefined && html` See ${hostLink(host)}.`}</li>
`
  })
  return html`<ul class="problems">${items}</ul>`
}

function courseSections({ course, stretches, stretchSeconds, status }: Overview): Html {
  const fetches = { name: 'fetches', text: count }
  const [from, to] = [stretches.at(0)?.at ?? 0, (stretches.at(-1)?.at ?? 0) + stretchSeconds]
  const priced = course.filter(({ price }) => price !== undefined)
  const { tasks } = status.budget ?? {}
  const total = tasks ? tasks.inAll.acquire + tasks.inAll.refresh + tasks.inAll.discover : 0
  const shares =
    tasks && total > 0
      ? `In all ${percent(tasks.inAll.acquire / total)} for new pages, ${percent(tasks.inAll.refresh / total)} for copies, ${percent(tasks.inAll.discover / total)} for links.`
      : undefined
  return html`<div class="two">${section(
    'quality',
    'Quality gained',
    course.some(({ gained }) => gained !== 0)
      ? lineChart({
          title: 'Quality, by the fetches it took',
          x: fetches,
          y: { name: 'quality gained' },
          points: course.map((point) => [point.fetches, point.gained]),
          also: { name: 'by', texts: course.map(({ at }) => momentText(at)) },
        })
      : html`<p class="quiet">Nothing was measured: nobody’s searches were known while this was fetched. What is fetched from now on is judged by the query log, once there is one.</p>`,
    'What searchers see of better scores, summed over what each fetch added.',
  )}${section(
    'price',
    'Price',
    lineChart({
      title: 'Worth of the last fetch that is afforded',
      x: fetches,
      y: { name: 'price' },
      points: priced.map((point) => [point.fetches, point.price!]),
      also: { name: 'at', texts: priced.map(({ at }) => momentText(at)) },
      steps: true,
    }),
    'Whatever is worth more is sent as soon as its host is free. It falls as the best is fetched.',
  )}</div>${section(
    'rate',
    'Fetches, and what they were for',
    stackedBars({
      title: `Fetches a minute, over each ${spanText(stretchSeconds)}`,
      x: { name: 'time', text: momentOn(from, to) },
      names: Object.values(TASK_NAMES),
      bars: stretches.map(({ at, acquire, refresh, discover }) => ({
        at,
        parts: [acquire, refresh, discover].map((fetches) => (60 * fetches) / stretchSeconds),
      })),
      width: stretchSeconds,
    }),
    shares,
  )}`
}

function contentsText({ status, course }: Overview, now: number): Html {
  const last = course.at(-1)
  return html`<p class="quiet">${count(status.duplicates ?? 0)} duplicates, ${count(status.softErrors ?? 0)} error pages with status 200${last && html`; last cycle ended ${when(last.at, now)}`}.</p>`
}
