import { PURPOSES, type Purpose } from '#policy/bids.ts'
import { maybe } from '../database/named-rows.ts'
import { Report } from './report.ts'

/** What a fetch was predicted to bring, and what it brought. */
interface PredictedFetch {
  readonly predicted: number
  readonly realised: number
}

/** What some fetches came to; means are of those whose gain was measured. */
export interface FetchFigures {
  readonly fetches: number
  /** Of these, how many gave a page. */
  readonly pages: number
  readonly newUrls: number
  readonly meanPredicted?: number
  readonly meanGain?: number
}

/** In which columns a task's predictions stand, beside what came. Others' gains may be in another currency. */
const PREDICTIONS: Readonly<
  Record<Purpose, { where: string; predicted: string; realised: string }>
> = {
  acquire: { where: 'thought_acquire', predicted: 'predicted_gain', realised: 'realised_gain' },
  refresh: { where: 'thought_refresh', predicted: 'predicted_gain', realised: 'realised_gain' },
  discover: { where: 'thought_links', predicted: 'thought_links', realised: 'new_urls' },
}

/** So many of the latest fetches tell of classes of addresses. */
const LATEST = 20_000
/** More fetches than these are not compared. */
const MOST_COMPARED = 10_000

/** What the tables tell of how a crawl spent its budget. */
export class BudgetReports extends Report {
  /** Fetches paid for by task; of the last so many cycles, or of all. */
  async fetchesByTask(lastCycles?: number): Promise<Record<Purpose, number>> {
    const lately =
      lastCycles === undefined ? '' : `AND cycle > (SELECT max(cycle) FROM cycle) - ${lastCycles}`
    const rows = await this.rows(
      `SELECT purpose, sum(cost) AS fetches FROM fetch_log WHERE cost > 0 ${lately} GROUP BY purpose`,
      { purpose: String, fetches: Number },
    )
    const counts = new Map(rows.map(({ purpose, fetches }) => [purpose, fetches]))
    const [acquire, refresh, discover] = PURPOSES.map((task) => counts.get(task) ?? 0)
    return { acquire, refresh, discover }
  }

  /** What the last affordable fetch of each cycle was worth, if it had a price. */
  prices() {
    return this.rows(
      'SELECT cycle, started_at AS at, price FROM cycle WHERE price IS NOT NULL ORDER BY cycle',
      { cycle: Number, at: Number, price: Number },
    )
  }

  /** What the fetches of each cycle gained, as far as it was measured. */
  gains() {
    return this.rows(
      `SELECT cycle, max(fetched_at) AS at, sum(realised_gain) AS gain FROM fetch_log
       WHERE realised_gain IS NOT NULL GROUP BY cycle ORDER BY cycle`,
      { cycle: Number, at: Number, gain: Number },
    )
  }

  /** What all fetches gained; undefined if that was never measured. */
  async totalGain(): Promise<number | undefined> {
    const sql = 'SELECT sum(realised_gain) AS gain FROM fetch_log'
    return (await this.row(sql, { gain: maybe(Number) })).gain
  }

  /** The latest fetches of a task that had a prediction and brought what can be measured. */
  predictions(task: Purpose, atMost: number): Promise<PredictedFetch[]> {
    const { where, predicted, realised } = PREDICTIONS[task]
    return this.rows(
      `SELECT ${predicted} AS predicted, ${realised} AS realised FROM fetch_log
       WHERE purpose = '${task}' AND ${where} IS NOT NULL AND ${realised} IS NOT NULL
         AND outcome NOT IN ('failed', 'disallowed', 'forbidden')
       ORDER BY id DESC LIMIT ${atMost}`,
      { predicted: Number, realised: Number },
    )
  }

  /** Fetches that were sampled, and the quality that one of them gained on average. */
  sampledFetches() {
    return this.row(
      `SELECT count(*) AS "fetches", avg(realised_gain) AS "meanGain" FROM fetch_log
       WHERE probability IS NOT NULL AND cost > 0`,
      { fetches: Number, meanGain: maybe(Number) },
    )
  }
  /** Fetches that were chosen by their bids, and the quality that one of them gained on average. */
  chosenFetches() {
    return this.row(
      `SELECT count(*) AS "fetches", avg(realised_gain) AS "meanGain" FROM fetch_log
       WHERE probability IS NULL AND cost > 0 AND realised_gain IS NOT NULL`,
      { fetches: Number, meanGain: maybe(Number) },
    )
  }

  /** What the fetches from a cycle on came to, and as many of those before it as there are. */
  async aroundCycle(cycle: number): Promise<{ before: FetchFigures; after: FetchFigures }> {
    const after = await this.#figures(`cycle >= ${cycle}`, MOST_COMPARED)
    const before = await this.#figures(`cycle < ${cycle}`, after.fetches)
    return { before, after }
  }

  #figures(which: string, latest: number): Promise<FetchFigures> {
    return this.row(
      `SELECT count(*) AS fetches, count(*) FILTER (WHERE outcome IN ('page', 'unchanged')) AS pages,
              avg(predicted_gain) FILTER (WHERE realised_gain IS NOT NULL) AS "meanPredicted",
              avg(realised_gain) AS "meanGain", coalesce(sum(new_urls), 0) AS "newUrls"
       FROM (SELECT * FROM fetch_log WHERE cost > 0 AND ${which} ORDER BY id DESC LIMIT ${latest})`,
      {
        ...{ fetches: Number, pages: Number, newUrls: Number },
        ...{ meanPredicted: maybe(Number), meanGain: maybe(Number) },
      },
    )
  }

  /** The latest fetches whose gain in quality was predicted and measured, with their URLs. */
  predictedUrls(): Promise<(PredictedFetch & { url: string })[]> {
    return this.rows(
      `SELECT u.url, predicted, realised FROM (
         SELECT id, url_id, predicted_gain AS predicted, realised_gain AS realised FROM fetch_log
         WHERE coalesce(thought_acquire, thought_refresh) IS NOT NULL AND realised_gain IS NOT NULL
         ORDER BY id DESC LIMIT ${LATEST}) f
       JOIN url u ON u.id = f.url_id ORDER BY f.id DESC`,
      { url: String, predicted: Number, realised: Number },
    )
  }
}
