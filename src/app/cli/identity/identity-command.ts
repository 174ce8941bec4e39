import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type Command, InvalidArgumentError } from 'commander'
import { newSigningKey, publicKeySet, rotated } from '#fetch/signing/key-set.ts'
import { DIRECTORY_PATH, DIRECTORY_TYPE } from '#fetch/signing/profile.ts'
import { keyInForce, type SigningKey } from '#fetch/signing/signing-key.ts'
import { identityOf } from '#library/settings/identity.ts'
import { timeSpan } from '#library/settings/setting-kinds.ts'
import { isAgent } from '#library/settings/signing.ts'
import { momentText } from '../../text/age.ts'
import { UsageError } from '../../text/usage-error.ts'
import { addSettings, settingsOf } from '../settings/setting-flags.ts'
import { outputFor, table } from '../terminal/output.ts'
import { type IdentityFolder, identityFolder, keysIn, writeKeys } from './identity-folder.ts'
import { operatorPage } from './operator-page.ts'

const FOLDER = 'forager-identity'
/** Verifiers keep a directory for about a day before they fetch it again. */
const TAKES_OVER_SECONDS = 86_400

interface FolderOptions {
  folder: string
  json?: boolean
}

/** `forager identity`: keys that prove who crawls. */
export function defineIdentity(identity: Command): void {
  identity.addHelpText(
    'after',
    `
Examples:
  forager identity init --agent https://bot.example --contact you@example.org
  forager identity show
  forager identity rotate`,
  )
  addInit(identity.command('init'))
  addRotate(identity.command('rotate'))
  addShow(identity.command('show'))
}

function addFolder(command: Command): Command {
  return command
    .option('--folder <dir>', 'where the keys are kept', FOLDER)
    .option('--json', 'print what was done as JSON')
}

interface InitOptions extends FolderOptions {
  agent: string
  purpose: string
  force?: boolean
}

function addInit(init: Command): void {
  init
    .description('make a key, the directory of public keys, and a page that says who crawls')
    .requiredOption('--agent <origin>', 'the web site that will publish them', agentOrigin)
    .option('--purpose <text>', 'what the pages are fetched for', 'a search index')
    .option('--force', 'replace the key that is there: what it signed proves nothing any more')
  addSettings(addFolder(init), ['contact', 'userAgent'])
    .addHelpText(
      'after',
      '\nExample:\n  forager identity init --agent https://bot.example --contact you@example.org',
    )
    .action((options: InitOptions, command: Command) =>
      runInit(options, settingsOf(command).settings),
    )
}

function agentOrigin(text: string): string {
  if (!isAgent(text))
    throw new InvalidArgumentError(
      'It must be the origin of a web site, as in https://bot.example.',
    )
  return new URL(text).origin
}

function runInit(
  { agent, purpose, force, folder, json }: InitOptions,
  settings: { contact?: string; userAgent?: string },
): void {
  const { contact } = settings
  if (contact === undefined)
    throw new UsageError('the page must say whom to write to: add --contact you@example.org')
  const place = identityFolder(folder)
  if (existsSync(place.keyFile) && !force)
    throw new UsageError(
      `${place.keyFile} is there already: forager identity rotate adds a new key, and --force replaces it`,
    )
  const key = newSigningKey(nowSeconds())
  writeKeys(place, [key])
  writeFileSync(place.pageFile, operatorPage({ agent, contact, purpose, ...identityOf(settings) }))
  const config = { identity: { contact, key: place.keyFile, agent } }
  outputFor({ json }).result(
    { ...place, agent, keyId: key.keyId, type: DIRECTORY_TYPE, config },
    () =>
      [
        `key ${key.keyId}`,
        `${place.keyFile}: the private key, for you alone to read; do not publish it`,
        `${place.publicFolder}: put what is in it onto ${agent}`,
        `  ${DIRECTORY_PATH} must be served as ${DIRECTORY_TYPE}`,
        '  index.html says who crawls, what for, and how to be left out: change it as you like',
        'Then put this into forager.config.json, and requests are signed:',
        JSON.stringify(config),
      ].join('\n'),
  )
}

interface RotateOptions extends FolderOptions {
  after: number
  atOnce?: boolean
}

function addRotate(rotate: Command): void {
  rotate
    .description('add a new key; the old one stays published until nothing it signed is valid')
    .option('--after <time>', 'when the new key takes over', timeText, TAKES_OVER_SECONDS)
    .option(
      '--at-once',
      'let it take over now: sites that know the old directory learn of it later',
    )
  // Commander would show seconds.
  rotate.options[0].defaultValueDescription = '1d'
  addFolder(rotate)
    .addHelpText('after', '\nExample:\n  forager identity rotate --after 2d')
    .action(({ folder, json, after, atOnce }: RotateOptions) => {
      const place = identityFolder(folder)
      const now = nowSeconds()
      const from = atOnce ? now : now + after
      const keys = rotated(keysIn(place), from, now)
      writeKeys(place, keys)
      outputFor({ json }).result({ ...place, keys: keyRows(keys, now) }, () =>
        [
          keysText(keys, now),
          `Put ${place.directoryFile} onto the web site ${atOnce ? 'now' : `before ${momentText(from)}`}. Crawls that run take up the new key by themselves.`,
        ].join('\n'),
      )
    })
}

function timeText(text: string): number {
  const seconds = timeSpan.fromText(text)
  if (seconds === undefined) throw new InvalidArgumentError(`It must be ${timeSpan.form}.`)
  return seconds
}

function addShow(show: Command): void {
  addFolder(show.description('show the keys, and whether the directory has them'))
    .addHelpText('after', '\nExample:\n  forager identity show --json')
    .action(({ folder, json }: FolderOptions) => {
      const place = identityFolder(folder)
      const [keys, now] = [keysIn(place), nowSeconds()]
      const isCurrent = hasKeys(place, keys)
      outputFor({ json }).result({ ...place, isCurrent, keys: keyRows(keys, now) }, () =>
        [
          keysText(keys, now),
          isCurrent
            ? `${place.directoryFile} has them`
            : `${place.directoryFile} does not have them: forager identity rotate writes it anew`,
        ].join('\n'),
      )
    })
}

/** Whether the directory is that of these keys. */
function hasKeys({ directoryFile }: IdentityFolder, keys: readonly SigningKey[]): boolean {
  return existsSync(directoryFile) && readFileSync(directoryFile, 'utf8') === publicKeySet(keys)
}

/** What may be told of keys. */
function keyRows(keys: readonly SigningKey[], now: number) {
  const inForce = keyInForce(keys, now)
  return keys.map(({ keyId, notBefore: from, expires: until }) => ({
    keyId,
    signs: keyId === inForce.keyId,
    from,
    ...(until !== undefined && { until }),
  }))
}

function keysText(keys: readonly SigningKey[], now: number): string {
  const rows = keyRows(keys, now).map(({ keyId, signs, from, until }) => [
    keyId,
    signs ? 'yes' : from > now ? `from ${momentText(from)}` : 'no more',
    until === undefined ? '' : momentText(until),
  ])
  return table(['key', 'signs', 'published until'], rows)
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
