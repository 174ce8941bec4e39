import { withNames } from '#errors/setting-error.ts'
import {
  groupOf,
  SETTING_GROUPS,
  SETTINGS,
  type Setting,
  type SettingName,
} from '#library/settings/settings.ts'
import { flagOf } from './complaint.ts'
import { CONFIG_FILE } from './config-file.ts'
import { flagText, valueText } from './setting-flags.ts'

const INTRO = `# Configuration

<!-- Made by scripts/write-configuration-page.ts from src/library/settings/settings.ts: change that, then run it. -->

A crawl is set up by flags, by a config file, or both: flags win over the file, the file over the defaults.
The file is \`${CONFIG_FILE}\` where you run forager, or what \`--config FILE\` names. It is plain JSON; a
\`$schema\` key is allowed, anything unknown is an error that names the key. Files and folders in it are
looked for from where it lies.

\`\`\`json
{
  "seeds": ["https://example.org/"],
  "budget": 5000,
  "scope": { "reach": "domain", "exclude": ["*/print/*"] },
  "identity": { "contact": "you@example.org" },
  "politeness": { "delaySeconds": 2 },
  "limits": { "bytes": "2GB", "time": "2h" },
  "log": { "file": "crawl.jsonl" }
}
\`\`\`

Sizes are numbers of bytes or text such as \`"500kB"\`, \`"10MB"\`, \`"2GiB"\`; times are seconds or text such
as \`"90s"\`, \`"15m"\`, \`"1h30m"\`. In URL patterns \`*\` stands for anything, also nothing, and all else for
itself; a pattern without a scheme is meant for http and https. A URL is fetched if it matches one of
\`scope.include\` (when there are any) and none of \`scope.exclude\`; seeds always are.
`

/** What an entry of `sites` can have. */
const SITES = `An entry has a \`match\`, and what is to hold there ([how to](../how-to/crawl-your-own-site.md)):

| | value | |
|---|---|---|
| \`match\` | \`docs.example.org\`, \`*.example.org\`, \`example.org/manual\` | the host (http and https on their usual ports), the hosts below a domain, or what lies below a path; a scheme and a port may be named: \`https://example.org:8443\` |
| \`delay\` | seconds | pause between two requests to one host, in place of \`politeness.delaySeconds\`; 0 is for no pause |
| \`concurrency\` | 1 to 64 | requests to one host at the same time; they take no places that hosts share with their domain or address |
| \`quietHours\` | list of hours | it is not asked then, beside \`politeness.quietHours\` |
| \`maxPages\` | a whole number | at most so many fetches of one host in all, in place of \`scope.pagesPerHost\` |
| \`refreshAfter\` | a time, as in \`"7d"\` | copies of one host that are older are fetched again, in place of \`refreshAfter\` |
| \`scope\` | \`{ "include": […], "exclude": […] }\` | patterns for that site: its \`include\` stands in place of \`scope.include\`, its \`exclude\` beside \`scope.exclude\`. One that begins with a slash is compared with the path |
| \`credentials\` | \`{ "basic": { "user": …, "password": … } }\` or \`{ "bearer": … }\` | sent with every request to that site |
| \`cookies\` | names and values | likewise; what the server sets is not kept |
| \`headers\` | names and values | likewise |
| \`allowHttp\` | true or false | sends the last three also without TLS; else only by https, or to this machine |

A value of the last kinds is text, \`{ "env": "NAME" }\` for an environment variable, or \`{ "file": "path" }\`. Secrets go to their site only,
and are written down nowhere. For a URL one entry holds: the one whose match says most. What robots.txt and Retry-After ask for holds in any case.`

/** The text of docs/reference/configuration.md: every setting, in the order of the table. */
export function configurationPage(): string {
  const settings = Object.entries(SETTINGS) as [SettingName, Setting<unknown>][]
  const sections = Object.entries(SETTING_GROUPS).map(([group, heading]) => {
    const rows = settings.filter(([, { key }]) => groupOf(key) === group).map(rowOf)
    return [
      `## ${heading}`,
      '',
      '| key | flag | value | default | |',
      '|---|---|---|---|---|',
      ...rows,
      ...(group === SETTINGS.sites.key ? ['', SITES] : []),
    ].join('\n')
  })
  return `${[INTRO.trimEnd(), ...sections].join('\n\n')}\n`
}

const WITHOUT_FLAG: Readonly<Record<string, string>> = { seeds: 'arguments of `crawl`' }

function rowOf([name, setting]: [SettingName, Setting<unknown>]): string {
  const { key, kind, help } = setting
  const flag = flagText(name)
  const cells = [
    `\`${key}\``,
    flag === undefined ? (WITHOUT_FLAG[key] ?? 'none') : `\`${flag}\``,
    kind.form,
    otherwiseText(setting),
    flag?.startsWith('--no-') ? `\`false\`: ${help}` : help,
  ]
  return `| ${cells.map((cell) => withNames(cell, flagOf).replaceAll('|', '\\|').replaceAll('*', '\\*')).join(' | ')} |`
}

function otherwiseText({ default: value, otherwise, kind }: Setting<unknown>): string {
  if (value === undefined) return otherwise ?? 'none'
  return `\`${valueText(kind, value)}\``
}
