/** A folder of lists by topic or author: what follows names the list. */
const TOPIC =
  /\/(?:tags?|categor(?:y|ies)|topics?|labels?|keywords?|authors?|archives?)(?:\/|\.html?$|$)/i
/** The second and later parts of a list. */
const LATER_PART = /\/page[/_-]?\d+(?:\/|\.html?$|$)|[?&](?:page|paged|start|offset)=\d+/i
/** An index of a year, month or day. */
const PERIOD = /\/(?:19|20)\d\d(?:\/\d\d?){0,2}(?:\/|\/index\.html?)?$/

/**
 * Whether an address looks like that of a list of other pages: a tag, category, author or topic, a
 * numbered part of a list, or an index of a period. A rule of thumb, the same for all sites.
 */
export function isListingUrl(url: string): boolean {
  const path = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '')
  const query = path.indexOf('?')
  return (
    TOPIC.test(query < 0 ? path : path.slice(0, query)) ||
    LATER_PART.test(path) ||
    PERIOD.test(path)
  )
}
