import type { ParsedPage } from './page.ts'

/** What speaks for an error page that came with status 200. */
interface SoftErrorSigns {
  /** 0 to 1; from 0.5 on we take it for one. */
  readonly score: number
  readonly reasons: readonly string[]
}

/** An error page has little to say beyond its site's menus. */
const SHORT_TEXT_CHARS = 600
const LONG_TEXT_CHARS = 4000
/** Phrases count near the top, where an error page says what it is. */
const TOP_CHARS = 400
const SURE = 0.5

const NOT_FOUND = new RegExp(
  [
    'page (?:was |is |has |could |can ?)?not (?:be |been )?found|page (?:can|couldn).t be found',
    'page (?:you (?:requested|are looking for|were looking for)|requested)',
    'page (?:does not|doesn.t|no longer) exist',
    'page is (?:missing|no longer available)',
    '(?:404|410)[ :|-]{1,3}(?:error|not found|gone|page)',
    '(?:error|fehler|erreur|errore|erro) (?:40[34]|410|50[0234])',
    '(?:40[34]|410|50[0234]) (?:error|fehler|erreur)',
    'not found',
    'seite (?:wurde |konnte |ist )?nicht (?:mehr )?(?:gefunden|verfügbar|vorhanden)',
    'seite existiert nicht',
    'page (?:introuvable|non trouv[ée]e)|page n.existe (?:pas|plus)',
    'p[áa]gina no (?:encontrada|existe|disponible)|no se ha encontrado la p[áa]gina',
    'p[áa]gina n[ãa]o (?:encontrada|existe)',
    'pagina non trovata|pagina (?:che cerchi )?non esiste',
    'pagina niet gevonden|pagina bestaat niet',
    'sidan (?:kunde inte hittas|hittades inte|finns inte)|siden (?:blev ikke fundet|finnes ikke)',
    'sivua ei löy[td]y',
    'strona nie (?:istnieje|została znaleziona)|nie znaleziono strony',
    'str[áa]nka (?:nebyla nalezena|neexistuje|nenalezena)',
    'страница не (?:найдена|существует)|сторінку не знайдено',
    'sayfa bulunamadı',
    '找不到(?:页面|頁面|该页)|页面不存在|頁面不存在',
    'ページが見つかりません|ページは存在しません',
    '페이지를 찾을 수 없습니다',
  ].join('|'),
  'iu',
)
const BROKEN =
  /(?:internal server error|service unavailable|temporarily unavailable|bad gateway|database error|error establishing a database connection|under maintenance|under construction|wartungsarbeiten|en maintenance)/i
const TITLE_IS_A_STATUS =
  /^\W{0,5}(?:error\W{0,3})?(?:404|410|500|502|503)(?:\s*$|\s*[-|:–—]|\s+(?:error|not found|page|gone|internal|bad gateway|service))/i

/** What makes a page that came with status 200 look like an error page. Conservative. */
export function softErrorSigns({
  title,
  text,
}: Pick<ParsedPage, 'title' | 'text'>): SoftErrorSigns {
  // A long page is about something, if only about the error it names.
  if (text.length > LONG_TEXT_CHARS) return { score: 0, reasons: [] }
  const reasons: string[] = []
  let score = 0
  const add = (weight: number, reason: string) => {
    score += weight
    reasons.push(reason)
  }
  if (TITLE_IS_A_STATUS.test(title)) add(0.5, 'the title is an error’s number')
  else if (NOT_FOUND.test(title)) add(0.4, 'the title says that nothing was found')
  else if (BROKEN.test(title)) add(0.4, 'the title says that the site is out of order')
  const top = text.slice(0, TOP_CHARS)
  if (NOT_FOUND.test(top)) add(0.3, 'the text begins by saying that nothing was found')
  else if (BROKEN.test(top)) add(0.3, 'the text begins by saying that the site is out of order')
  if (score > 0 && text.length <= SHORT_TEXT_CHARS) add(0.2, 'the text is short')
  return { score: Math.min(score, 1), reasons }
}

/** True for a page that is an error page in all but its status; empty pages are not. */
export function looksLikeSoftError(page: Pick<ParsedPage, 'form' | 'title' | 'text'>): boolean {
  return page.form === 'page' && softErrorSigns(page).score >= SURE
}
