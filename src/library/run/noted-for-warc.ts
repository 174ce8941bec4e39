import type { CrawlState } from '#crawl/plan-cycle.ts'
import { type Fetcher, handedOn } from '#crawl/ports.ts'
import type { OpenWarcs } from '../open/warc-files.ts'

/** A fetcher whose workers write WARC files: each request tells them what the crawl knows of it. */
export function notedForWarc(
  fetcher: Fetcher,
  { keptWith }: Pick<OpenWarcs, 'keptWith'>,
  { forecasts }: Pick<CrawlState, 'forecasts'>,
): Fetcher {
  return {
    ...handedOn(fetcher),
    post: ({ requests, sends }) => {
      const noted = requests.map((request) => {
        const { purpose, predictedGain: gain } = forecasts.of(request.id) ?? {}
        return { ...request, keptWith: { ...keptWith(request.url), purpose, gain } }
      })
      fetcher.post({ requests: noted, sends })
    },
  }
}
