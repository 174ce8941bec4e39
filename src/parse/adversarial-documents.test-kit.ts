/** A document made to cost its reader as much as can be, at any size. */
export interface AdversarialDocument {
  readonly name: string
  readonly contentType: string
  /** The document, of at most so many bytes. */
  readonly body: (bytes: number) => Buffer
}

type Shape = (bytes: number) => string

/** The default limit of a page, on the wire and unpacked. */
export const PAGE_BYTES = 10 * 1024 * 1024
/** What sitemaps and feeds may have once they are unpacked. */
export const LIST_BYTES = 50 * 1024 * 1024
/** Of a robots.txt no more is read. */
export const ROBOTS_TXT_BYTES = 500 * 1024

/** A beginning, a part again and again, and an end. */
const filled =
  (start: string, part: string, end = ''): Shape =>
  (bytes) =>
    start + part.repeat(Math.max((bytes - start.length - end.length) / part.length, 0)) + end

/** The same, where each part is told its number. */
const numbered =
  (start: string, part: (number: number) => string, end = ''): Shape =>
  (bytes) => {
    const parts = [start]
    let room = bytes - start.length - end.length
    for (let number = 0; ; number++) {
      const next = part(number)
      room -= next.length
      if (room < 0) return parts.join('') + end
      parts.push(next)
    }
  }

/** Half of the bytes for the one, half for the other. */
const halves =
  (first: Shape, second: Shape): Shape =>
  (bytes) =>
    first(bytes / 2) + second(bytes / 2)

const HTML: Readonly<Record<string, Shape>> = {
  'a refresh of spaces': filled('<meta http-equiv=refresh content="0;url', ' ', '">'),
  'a refresh of spaces before its address': filled(
    '<meta http-equiv=refresh content="0',
    ' ',
    ';url=/x">',
  ),
  'a refresh of digits': filled('<meta http-equiv=refresh content="', '1', '">'),
  'a refresh of points': filled('<meta http-equiv=refresh content="1.', '.', '">'),
  'a refresh to percent signs': filled('<meta http-equiv=refresh content="0;url=/', '%', '">'),
  'a flood of slow refreshes': filled('', '<meta http-equiv=refresh content="99;url=/%zz y">'),
  'a refresh named by spaces': filled('<meta content=x http-equiv="', ' ', 'refresh ">'),
  'links of percent signs': filled('', `<a href="/${'%'.repeat(100_000)}">x</a>`),
  'links of escapes': filled('', `<a href="/${'%41'.repeat(33_000)}">x</a>`),
  'links of strangers': filled('', `<a href="/${' é'.repeat(33_000)}">x</a>`),
  'links of dot segments': filled('', `<a href="/${'x/../'.repeat(20_000)}">x</a>`),
  'links of parameters': filled('', `<a href="/?${'a=1&'.repeat(25_000)}">x</a>`),
  'links of unsorted parameters': filled('', `<a href="/?${unsortedQuery(60)}">`),
  'links of tracking parameters': filled('', `<a href="/?${'utm_source=x&'.repeat(60)}">`),
  'links of session parameters': filled('', `<a href="/${';sid=1'.repeat(15_000)}">x</a>`),
  'links of labels': filled('', `<a href="http://${'a.'.repeat(50_000)}org/">x</a>`),
  'links of foreign labels': filled('', `<a href="http://${'é.'.repeat(30_000)}org/">x</a>`),
  'links of line ends': filled('', `<a href="${'\n'.repeat(100_000)}x">x</a>`),
  'short links of percent signs': filled('', `<a href="/${'%'.repeat(900)}">`),
  'the longest links that may count': filled(
    '',
    `<a href="/${'%'.repeat(660)}?${'b=%&'.repeat(330)}">`,
  ),
  'links without words': filled('', '<a href=x>'),
  'links that need parsing': filled('', '<a href="x y">'),
  'links below a long base': filled(`<base href="/${'x'.repeat(1_900)}/">`, '<a href="y z">'),
  'a base of percent signs': halves(
    filled('<base href="/', '%', '">'),
    filled('', '<a href="y z">'),
  ),
  'anchors without end': filled('<a href=/x>', 'word '),
  'an anchor of single letters': filled('<a href=/x>', 'a<b>'),
  'image texts in a link': filled('<a href=/x>', `<img alt="${' '.repeat(1_000)}">`),
  areas: filled('', `<area href=/x alt="${' '.repeat(1_000)}">`),
  'nested blocks': filled('', '<div>'),
  'nested blocks, closed': halves(filled('', '<div>'), filled('', '</div>')),
  'nested paragraphs in spans': filled('', '<span><p>'),
  'nested forms in tables': filled('', '<form><table><tr><td>'),
  'nested hidden elements': filled('', '<b hidden>'),
  'nested drawings': filled('', '<svg><foreignObject>'),
  'end tags that end nothing': halves(filled('', '<div>'), filled('', '</span>')),
  'end tags alone': filled('', '</p>'),
  'list items below blocks': halves(filled('', '<div>'), filled('', '<li>')),
  'names nobody knows': numbered('', (n) => `<x${n.toString(36)}>`),
  'names nobody knows, closed': numbered('', (n) => `<x${n.toString(36)}></y${n.toString(36)}>`),
  'a name without end': filled('<x', 'Y'),
  'short tags': filled('', '<b>'),
  'a tag without end': filled('<a ', 'b="c" '),
  'a tag of quotes': filled('<a b="', '" c="'),
  'attributes without values': filled('<a ', 'b '),
  'equals signs': filled('<a ', '='),
  slashes: filled('<a ', '/'),
  'spaces in a tag': filled('<a ', ' '),
  'tags broken off': filled('', '<a b="'),
  'comments without end': filled('', '<!--'),
  'dashes of a comment': filled('<!--', '-'),
  'comments that nearly end': filled('<!--', '--!'),
  'short comments': filled('', '<!---->'),
  declarations: filled('', '<!a>'),
  instructions: filled('', '<?a>'),
  'character data': filled('<svg>', '<![CDATA[x]]>'),
  'character data without end': filled('<svg>', '<![CDATA['),
  'less-than signs': filled('', '<'),
  'tags nearly ended': filled('', '</'),
  ampersands: filled('', '&'),
  references: filled('', '&eacute;'),
  'references one by one': filled('', '&lt;<b>'),
  'numeric references': filled('', '&#x41;'),
  'one endless reference': filled('&#', '1'),
  'references nearly ended': filled('', '&CounterClockwiseContourIntegra'),
  'an attribute of references': filled('<a href="', '&amp;', '">'),
  'links of references': filled('', `<a href="${'&amp;'.repeat(1_000)}">`),
  'scripts without end': filled('', '<script></scrip'),
  'scripts in comments': filled('<script><!--', '<script>'),
  'scripts that nearly end': filled('<script>', '</script'),
  'comments in scripts': filled('', '<script><!--</script>'),
  'marks of a script': filled('<script>', '<!---->'),
  'styles without end': filled('<style>', '</styl'),
  'short styles': filled('', '<style></style>'),
  'titles without end': filled('', '<title>'),
  'a title of spaces': filled('<title>', ' '),
  'a title of references': filled('<title>', '&lt;', '</title>'),
  'titles that say nothing': filled('', '<title></title>'),
  'a text area': filled('<textarea>', '&amp;</textare'),
  'plain text': filled('<plaintext>', '<a> '),
  relations: filled('', '<link rel=next href=x>'),
  'relations of many words': filled('', `<link rel="${'a '.repeat(500)}" href=x>`),
  'one relation of many words': filled('<link rel="', 'a ', '" href=x>'),
  'relations of one word': filled('<a href=/x rel="', 'a', '">'),
  'links with relations of commas': filled('', `<a href=/x rel="${','.repeat(1_000)}">`),
  directives: filled('<meta name=robots content="', 'unavailable_after: mon,', '">'),
  'directives of spaces': filled('<meta name=robots content="', ' ', '">'),
  'directives of colons': filled('<meta name=robots content="', ':', '">'),
  'directives of words': filled('<meta name=robots content="', 'noindex ', '">'),
  'directives of agents': filled('<meta name=robots content="', 'a : ', '">'),
  'directives that nearly have a date': filled(
    '<meta name=robots content="',
    'x : unavailable_after ',
    '">',
  ),
  'directives of spaces and letters': filled(
    '<meta name=robots content="',
    `${' '.repeat(1_000)}x`,
    '">',
  ),
  'a flood of directives': filled('', '<meta name=robots content=a,b>'),
  'a language of spaces': filled('<html lang="', ' ', 'x">'),
  languages: filled('', '<html lang=a_b_c_d_e_f_g>'),
  'white space': filled('', ' \n'),
  'wide white space': filled('', '\u3000'),
  'single words': filled('', 'a\n'),
  'letters and line ends': filled('', 'a<br>'),
  'one word': filled('', 'w'),
  'one foreign word': filled('', 'é'),
  'Thai without spaces': filled('', 'ก'),
  zeros: filled('', '\0'),
  'a charset nearly declared': filled('<meta ', 'charset=', ''),
}

const XML: Readonly<Record<string, Shape>> = {
  'entries of a sitemap': filled('<urlset>', '<url><loc>/x</loc></url>'),
  'entries of a sitemap elsewhere': numbered(
    '<urlset>',
    (n) => `<url><loc>http://h${n}.net/</loc></url>`,
  ),
  'entries of a sitemap that are none': filled('<urlset>', '<url><loc>x:y</loc></url>'),
  'entries of a sitemap to parse': filled('<urlset>', '<url><loc>mailto:%% y</loc></url>'),
  'the longest entries of a sitemap': filled(
    '<urlset>',
    `<url><loc>/${'%'.repeat(3_990)}</loc></url>`,
  ),
  'overlong entries of a sitemap': filled(
    '<urlset>',
    `<url><loc>${'%'.repeat(100_000)}</loc></url>`,
  ),
  'nested entries of a sitemap': filled('<urlset>', '<url><loc>'),
  'short elements of a sitemap': filled('<urlset>', '<a>'),
  'empty elements of a sitemap': filled('<urlset>', '<a/>'),
  'entities of a sitemap': filled('<urlset><url><loc>', '&amp;&x;'),
  'entities outside a sitemap’s entries': filled('<urlset>', '&amp;'),
  'numeric entities of a sitemap': filled('<urlset>', '&#65;'),
  'ampersands of a sitemap': filled('<urlset><url><loc>', '&'),
  'less-than signs of a sitemap': filled('<urlset>', '<'),
  'character data of a sitemap': filled('<urlset><url><loc>', '<![CDATA[x]]>'),
  'character data of a sitemap without end': filled('<urlset><url><loc>', '<![CDATA['),
  'comments of a sitemap': filled('<urlset>', '<!---->'),
  'comments of a sitemap without end': filled('<urlset>', '<!--'),
  'attributes of a sitemap': filled('<urlset ', 'a="b" '),
  'attributes of a sitemap without values': filled('<urlset ', 'a '),
  'an attribute of entities': filled('<urlset a="', '&amp;', '">'),
  'attributes of elements': filled('<urlset>', '<a b="" c="" d="">'),
  'dates of a sitemap': filled(
    '<urlset>',
    `<url><loc>/x</loc><lastmod>${' '.repeat(200)}1</lastmod></url>`,
  ),
  'spaces of a sitemap': filled('<urlset><url><loc>', ' '),
  'single letters of a sitemap': filled('<urlset><url><loc>', 'a '),
  'prologs of a sitemap': filled('', '<!-- --><?x?>', '<urlset>'),
  'spaces before a sitemap': filled('', ' ', '<urlset>'),
  'doctypes in front': halves(filled('', '<!a['), filled('', '<!b>')),
  'declared entities': numbered(
    '<!DOCTYPE urlset [',
    (n) => `<!ENTITY e${n + 1} "&e${n};&e${n};">`,
    ']><urlset>&e9;</urlset>',
  ),
  'names of elements': numbered('<urlset>', (n) => `<x${n.toString(36)}:y>`),
  'a name without end': filled('<urlset><', 'X'),
  'items of a feed': filled('<rss>', '<item><title>a&amp;amp;</title><link>/x</link>'),
  'items of a feed without address': filled('<rss>', '<item><title>&lt;b></title>'),
  'items of a feed that are none': filled('<rss>', '<item>'),
  'titles of a feed': filled(
    '<rss>',
    `<item><link>x:</link><title>${'&amp;lt;b>'.repeat(100)}</title>`,
  ),
  'a title of a feed': filled('<rss><item><title>', '<b>&lt;'),
  'asides of a feed': filled('<feed>', '<entry><source>'),
  'links of a feed': filled('<feed>', '<link rel=next href="x:">'),
  'links of a feed’s items': filled(
    '<feed>',
    `<entry><link href="/${'%'.repeat(100_000)}"/></entry>`,
  ),
  'attributes of a feed’s links': filled('<feed>', `<link rel="${' '.repeat(1_000)}" href="x:">`),
  'dates of a feed': filled(
    '<feed>',
    '<entry><updated>2020-01-01</updated><published>x</published></entry>',
  ),
  'a feed below a long base': filled(
    `<feed xml:base="/${'%'.repeat(1_900)}">`,
    '<entry><link href="x y:"/></entry>',
  ),
  'a base of a feed': halves(
    filled('<feed xml:base="/', '%', '">'),
    filled('', '<entry><link href="x y"/></entry>'),
  ),
}

const JSON_FEED: Readonly<Record<string, Shape>> = {
  'empty arrays': filled('{"version":"https://jsonfeed.org/version/1","items":[', '[],', '0]}'),
  'empty objects': filled('{"version":"https://jsonfeed.org/version/1","items":[', '{},', '0]}'),
  'nested arrays': filled('{"version":"https://jsonfeed.org/version/1","items":', '['),
  'nested objects': filled('', '{"a":'),
  numbers: filled('{"version":"https://jsonfeed.org/version/1","items":[', '1e9,', '0]}'),
  members: numbered(
    '{"version":"https://jsonfeed.org/version/1","items":{',
    (n) => `"${n}":0,`,
    '"a":0}}',
  ),
  names: numbered(
    '{"version":"https://jsonfeed.org/version/1","items":{',
    (n) => `"a${n}":0,`,
    '"a":0}}',
  ),
  escapes: filled('{"version":"https://jsonfeed.org/version/1","title":"', '\\u0041', '"}'),
  titles: filled(
    '{"version":"https://jsonfeed.org/version/1","items":[',
    `{"url":"x:","title":"${'&lt;<b>'.repeat(150)}"},`,
    '0]}',
  ),
  'one title': filled(
    '{"version":"https://jsonfeed.org/version/1","items":[{"url":"/x","title":"',
    '<b>',
    '"}]}',
  ),
  addresses: filled(
    '{"version":"https://jsonfeed.org/version/1","items":[',
    `{"url":"/${'%'.repeat(100_000)}"},`,
    '0]}',
  ),
  dates: filled(
    '{"version":"https://jsonfeed.org/version/1","items":[',
    `{"url":"/x","date_modified":"${' '.repeat(900)}"},`,
    '0]}',
  ),
  'no JSON': filled('', 'x'),
}

const PLAIN: Readonly<Record<string, Shape>> = {
  'line ends': filled('', '\n'),
  'short lines': filled('', 'a\n'),
  addresses: filled('', 'http://a.example/\n'),
  'addresses elsewhere': numbered('', (n) => `http://h${n}.net/\n`),
  'overlong addresses': filled('', `http://a.example/${'%'.repeat(100_000)}\n`),
  spaces: filled('', ' '),
  'no spaces': filled('http://', 'x'),
}

const SOME_PATH = Array.from({ length: 1_000 }, (_, n) =>
  String.fromCharCode(97 + ((n * n) % 23)),
).join('')

/** robots.txt files; a URL to ask them about is below. */
const ROBOTS: Readonly<Record<string, Shape>> = {
  'many agents, then rules': halves(
    numbered('', (n) => `User-agent: ${letters(n)}\n`),
    numbered('User-agent: *\n', (n) => `Disallow: /${n}\n`),
  ),
  'one agent again and again, then rules': halves(
    filled('', 'User-agent: *\n'),
    numbered('', (n) => `Disallow: /${n}\n`),
  ),
  'one agent and a delay again and again': filled('', 'User-agent:*\nCrawl-delay:1\n'),
  'agents and delays': numbered(
    'User-agent: *\n',
    (n) => `User-agent:${letters(n)}\nCrawl-delay:${n}\n`,
  ),
  'many agents, then delays': halves(
    numbered('User-agent: *\n', (n) => `User-agent: ${letters(n)}\n`),
    filled('', 'Crawl-delay: 1\n'),
  ),
  'a group for each agent': numbered(
    '',
    (n) => `User-agent:${letters(n)}\nUser-agent:*\nAllow:/${n}\n`,
  ),
  'an agent without end': filled('User-agent: *\nUser-agent: ', 'a'),
  'short rules': numbered('User-agent: *\n', (n) => `Allow:/${n.toString(36)}\n`),
  'one rule again and again': filled('User-agent: *\n', 'Allow:/\n'),
  'rules that begin alike': numbered('User-agent: *\n', (n) => `Disallow: /${'a'.repeat(n)}\n`),
  'rules that end alike': numbered(
    'User-agent: *\n',
    (n) => `Disallow: /${n}${'a'.repeat(1_500)}\n`,
  ),
  'rules to the end': numbered('User-agent: *\n', (n) => `Allow: /${'a'.repeat(n % 1_900)}$\n`),
  'a rule of stars': filled('User-agent: *\nDisallow: /', '*', 'b$'),
  'a rule of stars and letters': filled('User-agent: *\nDisallow: /', '*a', '*b$'),
  'rules of stars and letters': filled('User-agent: *\n', `Disallow: /${'*a'.repeat(900)}*b$\n`),
  'short rules with stars': numbered('User-agent: *\n', (n) => `Allow:/*${n.toString(36)}\n`),
  'rules with stars that nearly fit': filled('User-agent: *\n', 'Disallow: /*aaaaaa*aaab\n'),
  'rules with stars that fit but for their end': numbered(
    'User-agent: *\n',
    (n) => `Allow:/*${SOME_PATH.slice(n % 990, (n % 990) + 4 + n / 1_000)}*!\n`,
  ),
  'rules with stars that begin alike': numbered(
    'User-agent: *\n',
    (n) => `Disallow: /${'a'.repeat(n % 900)}*b\n`,
  ),
  'rules with a star at their end': numbered(
    'User-agent: *\n',
    (n) => `Disallow: /${'a'.repeat(n % 900)}*\n`,
  ),
  'rules of percent signs': filled('User-agent: *\n', `Disallow: /${'%'.repeat(1_900)}\n`),
  'a rule of percent signs': filled('User-agent: *\nDisallow: /', '%'),
  'rules of escapes': filled('User-agent: *\n', `Disallow: /${'%61'.repeat(1_300)}\n`),
  'rules of strangers': filled('User-agent: *\n', `Disallow: /${' é'.repeat(900)}\n`),
  'rules of dollars': filled('User-agent: *\n', `Disallow: /${'$'.repeat(1_900)}\n`),
  preferences: numbered('User-agent: *\n', (n) => `Content-Usage: /${n} a\n`),
  'preferences with stars': numbered(
    'User-agent: *\n',
    (n) => `Content-Usage: /*${SOME_PATH.slice(n % 990, (n % 990) + 4)}*! a\n`,
  ),
  'preferences of spaces': filled('User-agent: *\n', `Content-Usage: /x${' '.repeat(2_000)}\n`),
  'a preference of spaces': filled('User-agent: *\nContent-Usage: /x', ' ', 'y'),
  sitemaps: filled('', 'Sitemap:/x\n'),
  'sitemaps of percent signs': filled('', `Sitemap:/${'%'.repeat(480)}\n`),
  'line ends': filled('', '\n'),
  'both line ends': filled('', '\r\n\r'),
  colons: filled('', ':\n'),
  'one enormous line': filled('', 'x'),
  'one enormous line of spaces': filled('Disallow', ' ', ':'),
  comments: filled('', '#\n'),
}

const documents = (
  shapes: Readonly<Record<string, Shape>>,
  kind: string,
  contentType: string,
): readonly AdversarialDocument[] =>
  Object.entries(shapes).map(([name, shape]) => ({
    name: `${kind}: ${name}`,
    contentType,
    // Letters beyond ASCII have several bytes, so the end may be cut off.
    body: (bytes) => Buffer.from(shape(bytes)).subarray(0, bytes),
  }))

/** One byte again and again, under a charset in which it is no character. */
const undecodable = (charset: string, byte: number): AdversarialDocument => ({
  name: `HTML: bytes that are no ${charset}`,
  contentType: `text/html; charset=${charset}`,
  body: (bytes) => Buffer.alloc(bytes, byte),
})

export const ADVERSARIAL_PAGES: readonly AdversarialDocument[] = [
  ...documents(HTML, 'HTML', 'text/html; charset=utf-8'),
  undecodable('utf-8', 0xe3),
  undecodable('utf-16le', 0xd8),
  undecodable('shift_jis', 0xff),
  undecodable('gb18030', 0xff),
  undecodable('iso-2022-jp', 0x1b),
]
export const ADVERSARIAL_LISTS = documents(XML, 'XML', 'application/xml; charset=utf-8')
export const ADVERSARIAL_JSON_FEEDS = documents(JSON_FEED, 'JSON Feed', 'application/feed+json')
export const ADVERSARIAL_TEXTS = documents(PLAIN, 'text', 'text/plain; charset=utf-8')
export const ADVERSARIAL_ROBOTS = documents(ROBOTS, 'robots.txt', 'text/plain')

/** Addresses, of the greatest length that is let in, to ask the robots.txt files above about. */
export const ADVERSARIAL_PATHS: readonly string[] = [
  `/${'a'.repeat(1_970)}`,
  `/${SOME_PATH}${'a'.repeat(970)}`,
  `/${'*'.repeat(1_970)}`,
  `/${'%20'.repeat(650)}`,
  `/${Array.from({ length: 980 }, (_, n) => n.toString(36))
    .join('')
    .slice(0, 1_970)}`,
]

function letters(number: number): string {
  const name = number.toString(36)
  return `${name.replace(/\d/g, (digit) => String.fromCharCode(65 + Number(digit)))}-`
}

function unsortedQuery(parameters: number): string {
  return Array.from({ length: parameters }, (_, n) => `p${(n * 37) % parameters}=1`).join('&')
}
