import { FormPoster } from '#fetch/client/post-form.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { liveClock } from '../open/live-clock.ts'
import { liveFetcherOptions } from '../open/web.ts'
import type { Settings } from '../settings/settings.ts'
import { HeardUrls } from './heard-urls.ts'
import { IndexNow } from './index-now.ts'
import { WebSub } from './web-sub.ts'

/** What a service hears of sites and hubs. */
export interface Hearing extends AsyncDisposable {
  readonly indexNow: IndexNow
  /** Left out where hubs have no way to us. */
  readonly webSub?: WebSub
  /** Is shown what the crawl fetches: keys of sites, and feeds that name hubs. */
  saw(outcome: FetchOutcome): void
  /** To be called now and then: subscriptions end. */
  renew(): void
}

/** What a crawl says of a URL: whether it may fetch it, and whether it knows it and was not told to forget it. */
interface HearingCrawl {
  readonly isWelcome: (url: string) => boolean
  readonly isKnown: (url: string) => boolean
}

/** Makes ready to hear. */
export function openHearing(settings: Settings, { isWelcome, isKnown }: HearingCrawl): Hearing {
  const { dir, callback } = settings
  const heard = new HeardUrls(dir)
  const indexNow = new IndexNow({ dir, heard, isWelcome, isKnown })
  const poster = new FormPoster(posterOptions(settings))
  const webSub =
    callback === undefined
      ? undefined
      : new WebSub({
          ...{ dir, heard, isWelcome, callback: callback.replace(/\/*$/, '/') },
          post: (hub, form) => poster.post(hub, form),
          isPrivateTo: (hub) => poster.isPrivateTo(hub),
        })
  return {
    indexNow,
    webSub,
    saw: (outcome) => {
      indexNow.saw(outcome)
      webSub?.saw(outcome)
    },
    renew: () => webSub?.renew(),
    [Symbol.asyncDispose]: async () => {
      await poster[Symbol.asyncDispose]()
      await webSub?.close()
      indexNow.close()
    },
  }
}

/** Hubs are asked as pages are: from the same machine, in the same name, and no further than a crawl may go. */
function posterOptions(settings: Settings) {
  const { timeouts, userAgent, ...options } = liveFetcherOptions(settings, liveClock())
  return { ...options, userAgent, connectMs: timeouts.connectMs, totalMs: timeouts.totalMs }
}
