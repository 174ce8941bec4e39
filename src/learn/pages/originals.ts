import type { Frontier } from '#frontier/frontier.ts'
import type { ScopeTest } from '#frontier/scope.ts'
import type { TextMarks } from '#frontier/texts/duplicates.ts'
import type { ParsedPage } from '#parse/page/page.ts'
import type { PageOutcome, TextFacts } from '../entries/outcome.ts'

/** Pages that call each other canonical in a longer circle are not met. */
const MOST_STEPS = 10
/** What it takes to say that a page is elsewhere. */
const MOST_WORDS_OF_STUB = 50

/** The page that stands for this one in the index: its better address by its own word, or one that says the same. */
export function originalOf(
  outcome: PageOutcome,
  { marks, softError }: TextFacts,
  frontier: Frontier,
  scope: ScopeTest,
): number | undefined {
  if (marks === undefined) return undefined
  const { id, page } = outcome
  const isShown = isShownForGood(page, softError)
  const better =
    canonicalOf(outcome, isShown, frontier, scope) ?? refreshTarget(outcome, marks, frontier)
  return better ?? frontier.duplicates.originalOf(id, marks, isShown)
}

/** What searchers see only for some time is no original for what they may always see. */
export function isShownForGood(page: ParsedPage, softError: boolean): boolean {
  return !page.noindex && page.unavailableAfter === undefined && !softError
}

/** Whether a page of few words only says that it has moved. One with more to say may just renew itself. */
export function onlyLeadsOn({ refreshTo }: ParsedPage, { words }: TextMarks): boolean {
  return refreshTo !== undefined && words <= MOST_WORDS_OF_STUB
}

/** Where a page leads that only says it has moved. */
function refreshTarget(
  { id, page }: PageOutcome,
  marks: TextMarks,
  frontier: Frontier,
): number | undefined {
  if (page.refreshTo === undefined || !onlyLeadsOn(page, marks)) return undefined
  const target = frontier.urls.find(page.refreshTo)
  if (target === undefined || target === id || frontier.isLost(target)) return undefined
  return leadsBack(target, id, frontier) ? undefined : target
}

/**
 * The page's own word for its better address. On another registrable domain it is only a hint: anybody
 * may claim to be a copy of anything. It is void where no page was found, where it leads back, or to a page that
 * searchers do not see while they may see this one.
 */
function canonicalOf(
  { id, url, at, page }: PageOutcome,
  isShown: boolean,
  frontier: Frontier,
  scope: ScopeTest,
): number | undefined {
  const { canonical } = page
  if (canonical === undefined || canonical === url) return undefined
  if (canonical === url.replace(/^https:/, 'http:')) return undefined // written before the site moved
  const depth = frontier.discoveries.depthOf(id)
  if (scope(canonical, depth) !== undefined) return undefined
  const number = frontier.add(canonical, 'link', depth, at, frontier.discoveries.finderOf(id))
  const domains = frontier.urls.domains()
  const hidesFromSearch = isShown && frontier.duplicates.isHidden(number)
  const isVoid = frontier.isLost(number) || hidesFromSearch || leadsBack(number, id, frontier)
  return domains[number] === domains[id] && !isVoid ? number : undefined
}

/** Whether a page is a duplicate of `id` itself, through however few others. */
function leadsBack(page: number, id: number, { duplicates }: Frontier): boolean {
  let original = duplicates.notedOriginal(page)
  for (let step = 0; step < MOST_STEPS && original !== undefined; step++) {
    if (original === id) return true
    original = duplicates.notedOriginal(original)
  }
  return false
}
