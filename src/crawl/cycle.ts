import type { Frontier } from '#frontier/frontier.ts'
import { apply } from '#learn/apply.ts'
import type { PlanBudget, PlanEntry } from '#learn/entries/entry.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import type { Knowledge } from '#learn/knowledge.ts'
import type { NotedFetch } from '#policy/planning/plan.ts'
import { heldBytes, MOST_HELD_BYTES } from './held-bytes.ts'
import { HeldBack } from './order/held-back.ts'
import { withinCaps } from './page-caps.ts'
import { type CrawlRules, type CrawlState, planCycle } from './plan-cycle.ts'
import {
  type CycleRecord,
  type FetchRequest,
  inFlightCost,
  type Ports,
  type Repository,
} from './ports.ts'
import { readAsSitemapOnly } from './read-as-sitemap-only.ts'
import { isEnough, leftToGain } from './until-gain.ts'

/** News wait so many times as long as planning took: it is to be a small part of the work. */
const NEWS_PLANS = 20

/** What one turn of the wheel may do. */
export interface Turn extends PlanBudget {
  /** So many may be sent before the next plan; as many as are planned if left out. */
  readonly sends?: number
  /** The next plan is due after so many answers; or, once something came, after so many seconds. */
  readonly answers?: number
  readonly newsSeconds?: number
  /** The next plan is also due once pages take so many bytes. */
  readonly mostHeldBytes?: number
  /** More than these may be sent afterwards. */
  readonly hasMore?: boolean
}

/**
 * One turn of the wheel: plans, posts the board, and takes in what comes until the next plan is due. The fetcher goes
 * on with the board while a cycle is committed and the next one planned.
 */
export async function runCycle(
  state: CrawlState,
  rules: CrawlRules,
  ports: Ports,
  turn: Turn,
  onOutcome: (outcome: FetchOutcome) => void = () => {},
): Promise<CycleRecord> {
  const { fetcher, repository, clock } = ports
  const { sends = turn.budget, answers: most = Number.POSITIVE_INFINITY } = turn
  const { mostHeldBytes = MOST_HELD_BYTES } = turn
  const cycle = state.cycle + 1
  const startedAt = clock.now()
  const spentBefore = state.spent
  const inFlightBefore = inFlightCost(fetcher)
  if (turn.budget > 0) await prepareToPlan(state, rules, ports, startedAt)
  state.underWay = new Set(fetcher.inFlight())
  const { plan, held, entry, left, enough } = decide(state, rules, turn, cycle, startedAt)
  if (plan.length > 0) await repository.beginCycle?.(entry)
  apply(entry, state)
  const posted = await withinCaps(plan, state.frontier, rules, fetcher)
  state.forecasts.post(posted, new Set(fetcher.inFlight()))
  const requests = requestsFor(posted, state.frontier)
  const waiting = new HeldBack(state.frontier, held)
  const answered = new Set<number>()
  const post = () => {
    // What was sent while this was planned is among the sends of this turn.
    const sent = state.spent - spentBefore + inFlightCost(fetcher) - inFlightBefore
    fetcher.post({
      requests: requests.filter(({ id }) => !waiting.has(id) && !answered.has(id)),
      sends: enough ? 0 : Math.max(0, sends - sent),
    })
  }
  post()
  const postedAt = clock.now()
  const dueAt =
    turn.newsSeconds && postedAt + Math.max(turn.newsSeconds, NEWS_PLANS * (postedAt - startedAt))
  // Hosts that do not answer may hold the last sends of a plan: others do not wait for them longer than a plan takes.
  const dueWhenSent = dueAt && turn.hasMore ? 2 * postedAt - startedAt : undefined
  // Once told to stop, a crawl commits once, whatever it holds.
  const mostHeld = turn.budget > 0 ? mostHeldBytes : Number.POSITIVE_INFINITY
  let holds = 0
  for (let answers = 0; answers < most && holds < mostHeld; answers++) {
    const received = await fetcher.next(answers > 0 ? dueAt : undefined, dueWhenSent)
    if (!received) break
    const { exchange, robots, kept, ...answer } = received
    const outcome = readAsSitemapOnly(answer, state.frontier, state.scope)
    const fetch = { ...state.forecasts.take(outcome.id), outcome }
    // Durable first, then counted: a crash in between repeats nothing.
    const warc = await repository.journal({ cycle, ...fetch }, exchange, robots, kept)
    apply({ kind: 'fetch', ...fetch, warc }, state)
    onOutcome(outcome)
    answered.add(outcome.id)
    holds += heldBytes(outcome)
    if (waiting.release(outcome.id, startedAt, () => fetcher.inFlight())) post()
  }
  const endedAt = clock.now()
  const gains = await ports.judge?.(state)
  const learnt = apply({ kind: 'end', cycle, at: endedAt, gains }, state)
  const decided = { planned: entry.urls.length, price: entry.price, plan: entry }
  const record = {
    cycle,
    startedAt,
    postedAt,
    endedAt,
    ...decided,
    left,
    ...(enough && { enough: true as const }),
    ...learnt,
  }
  await repository.commit(record, state.frontier)
  return record
}

/** Takes in what operator and searchers have asked meanwhile, and lets the planner make itself ready. */
async function prepareToPlan(
  state: Knowledge,
  { policy }: CrawlRules,
  { searches, instructions, told, repository }: Ports,
  at: number,
): Promise<void> {
  const all = await instructions?.(at)
  if (all) apply({ kind: 'instructions', all }, state)
  await takeInTold(state, told, repository, at)
  const queries = await searches?.(at)
  if (queries) apply({ kind: 'searches', at, queries }, state)
  if (queries) policy.setQueries?.(queries)
  await policy.renew()
}

/** They are numbered first, as the store goes by numbers; a kill in between leaves them where they wait. */
async function takeInTold(
  state: Knowledge,
  source: Ports['told'],
  repository: Repository,
  at: number,
): Promise<void> {
  const told = source?.waiting() ?? []
  if (told.length === 0) return
  const entry = { kind: 'told', at, told } as const
  apply(entry, state)
  await repository.keepTold?.(entry, state.frontier)
  source?.taken()
}

/** What a cycle may send, and what the log is told of it. */
function decide(
  state: CrawlState,
  rules: CrawlRules,
  { budget, affords, ahead, reserve, hostTakes }: Turn,
  cycle: number,
  at: number,
) {
  const limits = { budget, affords, ahead, reserve, hostTakes }
  const plan = planCycle(state, rules, limits, at)
  const { gains } = state.lessons
  const left = leftToGain(plan, gains, affords ?? budget)
  const enough = isEnough(left, gains.gain, rules.untilGain)
  const { fetches, reserved = [] } = enough ? { fetches: [] } : plan
  const entry: PlanEntry = {
    ...{ kind: 'plan', cycle, at, ...limits, price: plan.price },
    underWay: [...state.underWay],
    urls: fetches.map(({ url }) => url),
    reserved: reserved.map(({ url }) => url),
    ...renderedIn([...fetches, ...reserved]),
  }
  return { plan: [...fetches, ...reserved], held: plan.held, entry, left, enough }
}

/** The URLs of a plan that are to be rendered, for the log. */
function renderedIn(plan: readonly NotedFetch[]): Pick<PlanEntry, 'rendered'> {
  const rendered = plan.flatMap(({ url, renderCost }) =>
    renderCost === undefined ? [] : [[url, renderCost] as const],
  )
  return rendered.length > 0 ? { rendered } : {}
}

/**
 * In the order of the plan, which is not always that of bids. What has no bid of its own, being sampled or looked at
 * once more, goes first on its host: behind the others of a busy one it would never be sent.
 */
function requestsFor(plan: readonly NotedFetch[], frontier: Frontier): FetchRequest[] {
  return plan.map(({ url, gain, probability, renderCost }, place) => {
    const isKeptFor = probability !== undefined || gain === 0
    const priority = plan.length - place + (isKeptFor ? plan.length : 0)
    const request = requestFor(frontier, url, priority)
    if (renderCost === undefined) return request
    // There must be something to render, and scripts may say other things than before.
    const { validators: _, ...whole } = request
    return { ...whole, renderCost }
  })
}

export function requestFor(frontier: Frontier, url: number, priority: number): FetchRequest {
  // Whether a duplicate is still one can only be seen by its text.
  const isDuplicate = frontier.duplicates.notedOriginal(url) !== undefined
  const validators = isDuplicate ? undefined : frontier.validators.of(url)
  return { id: url, url: frontier.urls.urlOf(url), priority, ...(validators && { validators }) }
}
