import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pageLanguage } from './page-language.ts'

/** What a page about a lighthouse may say. */
const TEXTS: Readonly<Record<string, string>> = {
  en: 'The lighthouse stands on a rock off the coast, and ships have been guided by its lamp for more than a hundred years. It was built by two brothers who had never seen the sea.',
  de: 'Der Leuchtturm steht auf einem Felsen vor der Küste, und seit mehr als hundert Jahren weist seine Lampe den Schiffen den Weg. Er wurde von zwei Brüdern gebaut, die das Meer nie gesehen hatten.',
  fr: 'Le phare se dresse sur un rocher au large de la côte, et sa lampe guide les navires depuis plus de cent ans. Il a été construit par deux frères qui n’avaient jamais vu la mer.',
  es: 'El faro está en una roca frente a la costa, y su lámpara ha guiado a los barcos durante más de cien años. Fue construido por dos hermanos que nunca habían visto el mar.',
  pt: 'O farol fica em uma rocha perto da costa, e a sua lâmpada guia os navios há mais de cem anos. Foi construído por dois irmãos que nunca tinham visto o mar.',
  it: 'Il faro si trova su uno scoglio davanti alla costa, e la sua lampada guida le navi da più di cento anni. È stato costruito da due fratelli che non avevano mai visto il mare.',
  nl: 'De vuurtoren staat op een rots voor de kust, en zijn lamp wijst de schepen al meer dan honderd jaar de weg. Hij werd gebouwd door twee broers die de zee nog nooit hadden gezien.',
  sv: 'Fyren står på en klippa utanför kusten, och dess lampa har visat fartygen vägen i mer än hundra år. Den byggdes av två bröder som aldrig hade sett havet.',
  pl: 'Latarnia morska stoi na skale u wybrzeża, a jej lampa od ponad stu lat wskazuje drogę statkom. Została zbudowana przez dwóch braci, którzy nigdy nie widzieli morza.',
  cs: 'Maják stojí na skále u pobřeží a jeho lampa již více než sto let ukazuje lodím cestu. Postavili ho dva bratři, kteří nikdy neviděli moře, ale chtěli pomoci všem.',
  tr: 'Deniz feneri kıyının açığında bir kayanın üzerinde durur ve lambası yüz yıldan daha fazla bir süredir gemilere yol gösterir. Onu denizi hiç görmemiş iki kardeş yapmış ve çok sevmiş.',
  ru: 'Маяк стоит на скале у берега, и его лампа уже более ста лет указывает путь кораблям. Его построили два брата, которые никогда не видели моря.',
  uk: 'Маяк стоїть на скелі біля берега, і його лампа вже понад сто років вказує шлях кораблям. Його збудували два брати, які ніколи не бачили моря, але хотіли допомогти.',
  ar: 'تقف المنارة على صخرة قبالة الساحل، وقد كان مصباحها يرشد السفن منذ أكثر من مائة عام. وقد بناها أخوان لم يريا البحر من قبل، ثم عاشا في هذا المكان.',
  el: 'Ο φάρος στέκεται σε έναν βράχο κοντά στην ακτή.',
  he: 'המגדלור ניצב על סלע מול החוף, והמנורה שלו מכוונת אוניות.',
  ja: '灯台は海岸沖の岩の上に立ち、百年以上も船を導いてきました。',
  zh: '灯塔矗立在海岸外的岩石上，一百多年来一直为船只指引方向。',
  ko: '등대는 해안 앞 바위 위에 서 있으며 백 년 넘게 배를 인도해 왔다.',
  th: 'ประภาคารตั้งอยู่บนโขดหินนอกชายฝั่ง',
}

describe('the language of a page', () => {
  test.each(Object.entries(TEXTS))('is told by what it says: %s', (language, text) => {
    expect(pageLanguage(text, undefined)).toBe(language)
  })

  test('is what it says, whatever a template declares', () => {
    expect(pageLanguage(TEXTS.de, 'en')).toBe('de')
    expect(pageLanguage(TEXTS.en, 'de-at')).toBe('en')
    expect(pageLanguage(TEXTS.ja, 'en-us')).toBe('ja')
  })

  test('keeps the region that is declared', () => {
    expect(pageLanguage(TEXTS.pt, 'pt-br')).toBe('pt-br')
    expect(pageLanguage(TEXTS.zh, 'zh-tw')).toBe('zh-tw')
  })

  test('is what is declared if the text is too short, or the language unknown to us', () => {
    expect(pageLanguage('Impressum', 'de')).toBe('de')
    expect(pageLanguage('Impressum', undefined)).toBeUndefined()
    expect(pageLanguage('', undefined)).toBeUndefined()
    expect(pageLanguage(TEXTS.de, 'lb')).toBe('lb')
  })

  test('of a long text is not that of a licence that it begins with', () => {
    const book = `${TEXTS.en}\n${`${TEXTS.de}\n`.repeat(80)}`
    expect(pageLanguage(book, undefined)).toBe('de')
  })

  test('that is half translated is told by the words in its main script', () => {
    const page =
      `${TEXTS.ru}\n`.repeat(60) + `${TEXTS.en}\n`.repeat(45) + `${TEXTS.ru}\n`.repeat(60)
    const turned =
      `${TEXTS.ru}\n`.repeat(20) + `${TEXTS.en}\n`.repeat(45) + `${TEXTS.ru}\n`.repeat(40)
    for (const text of [page, turned]) expect(pageLanguage(text, undefined)).toBe('ru')
  })

  test('is that of few words, if letters tell', () => {
    const commands = 'apt install foo bar baz qux quux corge grault garply waldo fred'
    expect(pageLanguage(`${commands} übergrößen für ähnliche`, undefined)).toBe('de')
    expect(pageLanguage(`${commands} żółć gęślą jaźń`, undefined)).toBe('pl')
    expect(pageLanguage(commands, undefined)).toBeUndefined()
  })

  test('is that of sentences, not of the menu before them', () => {
    const menu = 'Home\nAbout us\nAll of the news\nWhat we do\nHow it is made\nWith you\n'.repeat(5)
    expect(pageLanguage(`${menu}${TEXTS.fr}\n${TEXTS.fr}`, undefined)).toBe('fr')
  })

  test('is that of its script, whatever lines of another one are long', () => {
    const command = `$ ${'with the option of this or that from it '.repeat(3)}`
    for (const language of ['zh', 'ja', 'ru'])
      expect(pageLanguage(`${TEXTS[language]}\n${command}\n`.repeat(4), undefined)).toBe(language)
    const book = `${`${TEXTS.en}\n`.repeat(4)}${`${TEXTS.zh}\n`.repeat(60)}`
    expect(pageLanguage(book, undefined)).toBe('zh')
  })

  test('of any text is told or not, and nothing fails', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(['string', 'undefined']).toContain(typeof pageLanguage(text, undefined))
      }),
    )
  })
})
