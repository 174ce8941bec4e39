/**
 * Crawlee in Forager's order:
 *
 *     import { CheerioCrawler, Request } from 'crawlee'
 *     import { crawleeBridge } from 'forager/crawlee'
 *     await using forager = await crawleeBridge({ Request, dir: 'mycrawl', seeds: ['https://example.org/'], budget: 500 })
 *     const { requestManager } = forager
 *     await new CrawlerOfYours({ requestManager, requestHandler: forager.handler(async ({ $ }) => { … }) }).run()
 */
export {
  type CrawleeContext,
  type CrawleeRequest,
  crawleeBridge,
} from '#library/crawlee/crawlee-bridge.ts'
