/**
 * Letters beyond a to z that words of a language have, where several languages share an alphabet. Of Cyrillic and Arabic
 * only those that not all of their languages have.
 */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ca: 'àçèéíïòóúü', cs: 'áčďéěíňóřšťúůýž', da: 'åæø', de: 'äöüß', es: 'áéíñóúü' },
  ...{ et: 'äõöüšž', eu: 'ñ', fi: 'äö', fr: 'àâæçèéêëîïôœùûü', ga: 'áéíóú', gl: 'áéíñóúü' },
  ...{ hr: 'ćčđšž', hu: 'áéíóöőúüű', it: 'àèéìòù', lt: 'ąčėęįšųūž', lv: 'āčēģīķļņšūž' },
  ...{ nl: 'ëïé', no: 'åæø', pl: 'ąćęłńóśźż', pt: 'àáâãçéêíóôõú', ro: 'ăâîșțşţ' },
  ...{ sk: 'áäčďéíĺľňóôŕšťúýž', sl: 'čšž', sv: 'åäö', tr: 'çğıöşü' },
  vi: 'àáâãèéêìíòóôõùúýăđĩũơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ',
  ...{ bg: 'ъщ', ru: 'ыэёщъ', sr: 'јљњџћђ', mk: 'јљњџѓќѕ', uk: 'іїєґщ' },
  ...{ ar: 'ةىيكأإؤ', fa: 'پچژگکی', ur: 'ٹڈڑںےہھگچپ', mr: 'ळ' },
}

/** Languages that letters speak for. */
export const LETTERED_LANGUAGES: readonly string[] = Object.keys(LETTERS)

/** By letter, the languages that have it. */
export const LANGUAGES_BY_LETTER: ReadonlyMap<string, readonly string[]> = byLetter()

function byLetter(): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [language, letters] of Object.entries(LETTERS))
    for (const letter of letters) found.set(letter, [...(found.get(letter) ?? []), language])
  return found
}
