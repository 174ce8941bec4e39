import fc from 'fast-check'
import { expect, test } from 'vitest'
import { looksLikeSoftError, softErrorSigns } from './soft-404.ts'

const page = (title: string, text: string) => ({ form: 'page' as const, title, text })
const MENU = 'Home\nProducts\nAbout us\nContact\n'
const ARTICLE = 'The river rose by two metres in a night, and the town held its breath. '.repeat(30)

test.each([
  ['404 Not Found', `${MENU}Not Found\nThe requested URL was not found on this server.`],
  ['Error 404', 'Oops!'],
  ['404', ARTICLE],
  ['Page not found - Shop', `${MENU}Sorry, the page you requested does not exist.`],
  ['Shop', `${MENU}Seite nicht gefunden`],
  ['Seite nicht gefunden | Laden', `${MENU}Diese Seite existiert nicht.`],
  ['Page introuvable', `${MENU}La page n’existe plus.`],
  ['Página no encontrada', MENU],
  ['Página não encontrada', MENU],
  ['Pagina non trovata', MENU],
  ['Pagina niet gevonden', MENU],
  ['Sidan kunde inte hittas', MENU],
  ['Strona nie istnieje', MENU],
  ['Страница не найдена', MENU],
  ['ページが見つかりません', MENU],
  ['页面不存在', MENU],
  ['Service Unavailable', 'The service is temporarily unavailable.'],
  ['Error establishing a database connection', ''],
])('%j with %.40j… is an error page', (title, text) => {
  expect(looksLikeSoftError(page(title, text))).toBe(true)
})

test.each([
  ['', ''],
  ['Shop', MENU],
  ['River rises', ARTICLE],
  ['Area 404', 'A bar in the old town, open until late.'],
  ['HTTP 404', `The 404 or not found status is sent when ${ARTICLE.repeat(3)}`],
  ['How to make a custom page not found template', ARTICLE.repeat(3)],
  ['Peugeot 404 saloon', 'A large family car produced from 1960 to 1975.'],
  ['Lost and not found', ARTICLE],
  ['500 recipes for winter', 'Soups, stews and cakes for the dark months.'],
  ['Suchergebnisse', `${ARTICLE} Seite nicht gefunden? Schreiben Sie uns.`],
])('%j with %.40j… is a page', (title, text) => {
  expect(looksLikeSoftError(page(title, text))).toBe(false)
})

test('the judgement names its reasons', () => {
  expect(softErrorSigns(page('Page not found', 'Sorry, page not found.'))).toEqual({
    score: expect.closeTo(0.9),
    reasons: [
      'the title says that nothing was found',
      'the text begins by saying that nothing was found',
      'the text is short',
    ],
  })
})

test('sitemaps and feeds are never error pages', () => {
  expect(looksLikeSoftError({ form: 'feed', title: '404 Not Found', text: '' })).toBe(false)
})

test('any page is judged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (title, text) => {
      const { score } = softErrorSigns(page(title, text))
      expect(score >= 0 && score <= 1).toBe(true)
    }),
  )
})
