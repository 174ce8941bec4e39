import { GrowingColumn } from '#numeric/grow.ts'

/**
 * What sitemaps and feeds say about when pages changed, and how often they were right, site by site.
 * A claim is tested when the page is fetched again after it: did the content change?
 */
export class ChangeClaims {
  /** By URL: the latest claimed change, seconds since 1970; 0 for none. */
  readonly #claimedAt = new GrowingColumn(Float64Array)
  readonly #rightOfHost = new GrowingColumn(Uint32Array)
  readonly #wrongOfHost = new GrowingColumn(Uint32Array)
  /** Changes that nothing claimed, and pages rightly left unmentioned. */
  readonly #missedOfHost = new GrowingColumn(Uint32Array)
  readonly #quietOfHost = new GrowingColumn(Uint32Array)
  /** The hosts that each sitemap or feed has dated pages of. */
  readonly #hostsOfHub = new Map<number, Set<number>>()
  /** By host: when a hub with dates of its pages was last read. */
  readonly #listedAt = new GrowingColumn(Float64Array)

  /** Notes a claim; the latest counts. */
  claim(url: number, changedAt: number): void {
    this.#claimedAt.put(url, Math.max(this.#claimedAt.get(url), changedAt))
  }

  /** Notes that a hub tells when pages of a host changed. */
  noteHub(hub: number, host: number): void {
    const hosts = this.#hostsOfHub.get(hub)
    if (hosts) hosts.add(host)
    else this.#hostsOfHub.set(hub, new Set([host]))
  }

  /**
   * Notes a fetch; if the URL is a hub with dates, pages that it does not mention count as
   * unclaimed from now on.
   */
  read(url: number, at: number): void {
    for (const host of this.#hostsOfHub.get(url) ?? [])
      this.#listedAt.put(host, Math.max(this.#listedAt.get(host), at))
  }

  /** Sitemaps and feeds that date pages. */
  hubs(): Iterable<number> {
    return this.#hostsOfHub.keys()
  }

  /** Whether a sitemap or feed ever dated the page. */
  isDated(url: number): boolean {
    return this.#claimedAt.get(url) > 0
  }

  /** True when a hub that dates the page was read since we last saw it, and says nothing of a change. */
  saysUnchanged(url: number, host: number, lastVisit: number): boolean {
    const claimedAt = this.#claimedAt.get(url)
    return claimedAt > 0 && claimedAt <= lastVisit && this.#listedAt.get(host) > lastVisit
  }

  /**
   * The factor by which what sitemaps and feeds say of a page changes the odds that it changed;
   * 1 if they say nothing.
   */
  oddsFactorOf(url: number, host: number, lastVisit: number): number {
    if (this.saysChanged(url, lastVisit)) return this.oddsFactor(host, true)
    return this.saysUnchanged(url, host, lastVisit) ? this.oddsFactor(host, false) : 1
  }

  /** True when a claim says the page changed after we last saw it. */
  saysChanged(url: number, lastVisit: number): boolean {
    return url < this.#claimedAt.length && this.#claimedAt.view()[url] > lastVisit
  }

  /** Counts a claim of a host that was tested, and came out right or wrong. */
  count(host: number, right: boolean): void {
    const counted = right ? this.#rightOfHost : this.#wrongOfHost
    counted.add(host, 1)
  }

  /** Counts a page of a host that was fetched again though nothing claimed a change; did it change? */
  countSilence(host: number, changed: boolean): void {
    const counted = changed ? this.#missedOfHost : this.#quietOfHost
    counted.add(host, 1)
  }

  /**
   * The likelihood ratio of a host's claim, or of its silence: its frequency among pages that
   * changed, over that among pages that did not. 1 before anything was tested.
   */
  oddsFactor(host: number, saysChanged: boolean): number {
    const [right, wrong] = [this.#rightOfHost.get(host), this.#wrongOfHost.get(host)]
    const [missed, quiet] = [this.#missedOfHost.get(host), this.#quietOfHost.get(host)]
    const ofChanged = (right + 1) / (right + missed + 2)
    const ofUnchanged = (wrong + 1) / (wrong + quiet + 2)
    return saysChanged ? ofChanged / ofUnchanged : (1 - ofChanged) / (1 - ofUnchanged)
  }
}
