import { documents, filled, halves, numbered, type Shape } from './adversarial-shapes.test-kit.ts'

/** Of a robots.txt no more is read. */
export const ROBOTS_TXT_BYTES = 500 * 1024

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
