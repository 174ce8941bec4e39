import { describe, expect, test } from 'vitest'
import { KNOWN_LANGUAGES } from '#parse/language/page-language.ts'
import { defaultAnalyser, defaultScoring } from '../full-text/default-search.ts'
import { TextIndex } from '../full-text/text-index.ts'
import { STEMMERS, UNSTEMMED } from './stemmers.ts'

/** Whether a query finds a page that says this in its language. */
function finds(query: string, text: string, language: string): boolean {
  const index = new TextIndex(defaultAnalyser)
  index.replace(0, { url: 'https://a.org/', title: '', text, anchors: [], language })
  index.replace(1, { url: 'https://b.org/', title: '', text: 'other words', anchors: [] })
  return index.search(index.prepare(query, defaultScoring), 10).some(({ url }) => url === 0)
}

describe('a page is found by another form of its words', () => {
  test.each([
    ['en', 'two lighthouses', 'lighthouse'],
    ['de', 'zwei Netzwerke einrichten', 'Netzwerk'],
    ['de-at', 'alte Häuser', 'haus'],
    ['fr', 'les réseaux locaux', 'réseau'],
    ['fr', 'les réseaux locaux', 'reseau local'],
    ['es', 'las instalaciones', 'instalación'],
    ['it', 'le reti locali', 'locale'],
    ['pt-br', 'os navios', 'navio'],
    ['nl', 'de schepen en bestanden', 'bestand'],
    ['sv', 'filerna på skivan', 'fil'],
    ['da', 'alle husene', 'hus'],
    ['no', 'alle husene', 'hus'],
    ['fi', 'verkoissa', 'verkko verkossa'],
    ['ru', 'настройка сетевых интерфейсов', 'сетевой интерфейс'],
    ['hu', 'a hajókat', 'hajók'],
    ['tr', 'dosyalar', 'dosya'],
    ['ro', 'fișierele', 'fișier'],
    ['el', 'τα δίκτυα', 'δίκτυο'],
    ['ja', '灯台は海岸沖の岩の上に立つ', '海岸'],
    ['zh', '灯塔矗立在海岸外的岩石上', '岩石'],
    ['ko', '등대 지도', '등대'],
    ['ko', 'Debian을 설치하는 방법', 'debian 설치'],
    ['th', 'ประภาคารตั้งอยู่บนโขดหิน', 'โขดหิน'],
    ['km', 'ប្រទេសកម្ពុជា', 'កម្ពុជា'],
  ])('%s: %s, asked for as %s', (language, text, query) => {
    expect(finds(query, text, language)).toBe(true)
  })
})

test('ideographs are found in pairs, and one alone if it is asked for alone', () => {
  expect(finds('海岸', '海と岸', 'ja')).toBe(false)
  expect(finds('海', '海岸', 'ja')).toBe(true)
})

test('ideographs of a query are parted into words: no pair reaches across two, and function words are left out', () => {
  const asked = (query: string) => defaultAnalyser.queryWords(query).map(([form]) => form)
  expect(asked('安装系统')).toEqual(['安装', '系统'])
  expect(asked('网络的设置')).toEqual(['网络', '设置'])
  expect(asked('データベースの設定')).toEqual(['デー', 'ータ', 'タベ', 'ベー', 'ース', '設定'])
  expect(asked('的')).toEqual(['的'])
  // Nobody's dictionary has this name.
  expect(asked('蒲松龄')).toEqual(['蒲松', '松龄'])
  expect(defaultAnalyser.queryWords('安装系统', 'zh')).toEqual([['安装'], ['系统']])
})

test('a Korean word is looked for by pairs of its syllables, whatever ending it has', () => {
  const asked = (query: string) => defaultAnalyser.queryWords(query).map(([form]) => form)
  expect(asked('네트워크를 설정')).toEqual(['네트', '트워', '워크', '크를', '설정'])
  expect(defaultAnalyser.terms('Linux에서 웹', 'plain')).toEqual(['linux', '에서', '웹'])
  expect(defaultAnalyser.terms('서버를', 'de')).toEqual(['서버', '버를'])
})

test('what the rules of one language leave of a word finds no pages of another', () => {
  // `fil` is what Spanish rules leave of `files`, and Dutch ones do not.
  expect(finds('files', 'la fila', 'es')).toBe(true)
  expect(finds('files', 'een fil', 'nl')).toBe(false)
  expect(finds('kerberos', 'Kerberos einrichten', 'de')).toBe(true)
})

test('where all pages are English, other languages change nothing', () => {
  const { queryTerms, queryWords } = defaultAnalyser
  for (const query of ['running shoes', 'the universe', 'general relativity of time', 'who am I']) {
    const words = queryWords(query)
    expect(words.map(([first]) => first)).toEqual(queryTerms(query))
    // Beside the English form and the word itself, only forms that no English page has.
    for (const forms of words)
      expect(forms.slice(2).every((form) => /~[a-z]{2}$/.test(form))).toBe(true)
  }
})

test('function words of a question are left out in its language, but not those of a name', () => {
  const asked = (query: string) => defaultAnalyser.queryWords(query).map(([form]) => form)
  expect(asked('wie installiere ich einen Drucker unter Debian')).toEqual([
    'installiere',
    'drucker',
    'debian',
  ])
  expect(asked('de la soul')).toEqual(['de', 'la', 'soul'])
  expect(defaultAnalyser.queryWords('die Netzwerke', 'de')).toEqual([['netzwerk~de']])
})

test('each language that is read by its own rules can be told again from the index', () => {
  for (const language of [...STEMMERS.keys(), ...UNSTEMMED])
    expect(KNOWN_LANGUAGES, language).toContain(language)
})
