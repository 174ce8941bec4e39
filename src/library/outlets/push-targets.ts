import { readFileSync } from 'node:fs'
import { SettingError } from '#errors/setting-error.ts'
import type { NoteListener } from '../open/crawl-note.ts'
import { openSearchTarget } from '../opensearch/opensearch-target.ts'
import { mustDiffer } from '../push/push-pages.ts'
import type { PushTarget } from '../push/push-target.ts'
import { webhook } from '../push/webhook.ts'
import { openSearchAddress, WEBHOOK_VARIABLE } from '../settings/push-address.ts'
import type { Settings } from '../settings/settings.ts'

/** Whoever is to have the pages of a crawl, by their addresses. */
export function pushTargets(
  addresses: readonly string[],
  settings: Pick<Settings, 'pushKey'>,
  note?: NoteListener,
): PushTarget[] {
  const targets = addresses.map((address) => {
    const index = openSearchAddress(address)
    if (index) return openSearchTarget(index, { note })
    return webhook({ url: address, secret: secretFrom(settings.pushKey), note })
  })
  mustDiffer(targets)
  return targets
}

/** A secret in a file, or in the environment. */
function secretFrom(file: string | undefined): string {
  const secret = (file === undefined ? process.env[WEBHOOK_VARIABLE] : textOf(file))?.trim()
  if (secret) return secret
  const empty =
    file === undefined ? `set ${WEBHOOK_VARIABLE}, or name a file by` : `${file} is empty: see`
  throw new SettingError(
    'pushKey',
    `webhooks are signed, and there is no secret: ${empty} {pushKey}`,
  )
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new SettingError('pushKey', `${file} cannot be read (${code}): see {pushKey}`, { cause })
  }
}
