import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { bucketOf } from '#crawl/buckets/bucket-of.ts'
import { LEVELS } from '#crawl/buckets/draft.ts'
import { SettingError } from '#errors/setting-error.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import { registrableDomain } from '#parse/url/registrable-domain.ts'
import { predictsQuality, spendsOnCopies } from '#policy/planning/composition.ts'
import { policyNamed } from '#policy/registry/policy-name.ts'
import { readJson } from '#repository/buckets/buckets-folder.ts'
import { lookUpUrl, type UrlInBucket } from '#repository/buckets/look-up.ts'
import { type PlannedInBucket, readPlan } from '#repository/buckets/plan-files.ts'
import type { CrawlPlan } from '../plan/plan-fetches.ts'
import type { CrawlStatus } from '../status/status.ts'
import {
  BEGIN,
  CUT,
  type EpochCut,
  type EpochGoal,
  type LearnSums,
  latestEpoch,
  type OpenBuckets,
  openBuckets,
  ownUrls,
  SUMS,
  sumsOf,
} from './buckets-crawl.ts'
import { forecastOf } from './fetch-epoch.ts'

/** How far a crawl in buckets has come, as its files tell. */
export function bucketsStatus(dir: string): CrawlStatus {
  const opened = openBuckets(dir)
  const { crawl, folder } = opened
  const epoch = latestEpoch(opened)
  const goal = epoch > 0 ? readJson<EpochGoal>(folder.ofEpoch(epoch, BEGIN)) : undefined
  const learnt = latestWith(opened, epoch, 'learn')
  const sums = learnt > 0 ? sumsOf<LearnSums>(opened, learnt, 'learn') : []
  const states: Record<string, number> = {}
  for (const one of sums)
    for (const [state, count] of Object.entries(one.states))
      states[state] = (states[state] ?? 0) + count
  return {
    dir,
    policy: crawl.settings.policy,
    remark: `in ${crawl.buckets} buckets, epoch ${epoch}`,
    spent: goal?.spent ?? 0,
    known: sums.reduce((sum, one) => sum + ownUrls(one), 0),
    cycles: epoch,
    ...(learnt > 0 && { states, links: sums.reduce((sum, one) => sum + one.links, 0) }),
  }
}

/** The plan of an epoch, as its steps made it. */
export async function planOfEpoch(dir: string, epoch: number): Promise<CrawlPlan> {
  const opened = openBuckets(dir)
  const { folder, crawl } = opened
  const latest = latestWith(opened, latestEpoch(opened), 'cut')
  if (epoch < 1 || epoch > latest)
    throw new SettingError(
      'epoch',
      `there is no plan of epoch ${epoch} in ${dir}: ${latest > 0 ? `it has 1 to ${latest}` : 'none is made yet'}`,
    )
  const plan = await readPlan(
    Array.from({ length: crawl.buckets }, (_, bucket) => folder.partOf(epoch, 'cut', bucket)),
  )
  const { at } = readJson<EpochGoal>(folder.ofEpoch(epoch, BEGIN))
  const { last } = readJson<EpochCut>(folder.ofEpoch(epoch, CUT))
  const composition = policyNamed(crawl.settings.policy)
  return {
    ...{ policy: crawl.settings.policy, dir, at, cycle: epoch, price: last?.value },
    fetches: plan.map((one) => {
      const { purpose, parts, predictedGain, bid } = forecastOf(one)
      return {
        url: one.url,
        purpose,
        bid: bid!,
        parts: parts!,
        expected: predictedGain,
        why: whyOf(one),
      }
    }),
    hasParts: spendsOnCopies(composition),
    inQuality: predictsQuality(composition),
    hasShares: false,
  }
}

const WHY: Readonly<Record<number, string>> = {
  [LEVELS.secondLook]: 'a second look where no page was',
  [LEVELS.list]: 'a sitemap or feed that its site names',
  [LEVELS.seed]: 'a seed',
  [LEVELS.asked]: 'the operator asked for it',
}

function whyOf({ level, bucket }: PlannedInBucket): string {
  return `${WHY[level] ?? 'its bid'}; bucket ${bucket}`
}

/** What a crawl in buckets knows of a URL. */
export interface ExplainedInBucket extends Partial<UrlInBucket> {
  readonly url: string
  readonly known: boolean
  readonly bucket: number
  readonly epoch: number
  /** The bid of the last fetch that this epoch's budget afforded. */
  readonly cut?: number
}

export async function explainInBuckets(dir: string, url: string): Promise<ExplainedInBucket> {
  const opened = openBuckets(dir)
  const { folder, crawl } = opened
  const bucket = bucketOf(registrableDomain(hostOf(url)), crawl.buckets)
  const epoch = latestWith(opened, latestEpoch(opened), 'learn')
  if (epoch === 0) return { url, known: false, bucket, epoch }
  const learnt = folder.partOf(epoch, 'learn', bucket)
  const { parts } = readJson<LearnSums>(join(learnt, SUMS))
  const bid = folder.partOf(epoch, 'bid', bucket)
  const found = await lookUpUrl(
    {
      parts: parts.map(({ path }) => join(folder.dir, path)),
      learnt,
      ...(existsSync(bid) && { bid }),
    },
    url,
  )
  const cut = folder.ofEpoch(epoch, CUT)
  const last = existsSync(cut) ? readJson<EpochCut>(cut).last : undefined
  return {
    url,
    known: found !== undefined,
    bucket,
    epoch,
    ...found,
    ...(last && { cut: last.value }),
  }
}

/** The latest epoch that has all of a phase; 0 if none has. */
function latestWith(opened: OpenBuckets, from: number, phase: 'learn' | 'cut'): number {
  const { folder, crawl } = opened
  let epoch = from
  while (epoch > 0 && folder.lacking(epoch, phase, crawl.buckets).length > 0) epoch--
  return epoch
}
