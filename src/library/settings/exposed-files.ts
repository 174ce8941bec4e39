import { statSync } from 'node:fs'
import type { Settings } from './settings.ts'
import { secretsOf } from './site-setting.ts'

/** Who we are is no secret without the password. */
const USER = 'credentials.basic.user'

/** Files with secrets in them that others on this machine may read: of the group, or everybody. */
export function exposedFiles(
  {
    sites = [],
    identityKey,
    pushKey,
  }: Partial<Pick<Settings, 'sites' | 'identityKey' | 'pushKey'>>,
  settingsFile: string | undefined,
): string[] {
  const named = sites.flatMap(secretsOf)
  const hasSecrets = named.some(([name, secret]) => typeof secret === 'string' && name !== USER)
  const secrets = named.map(([, secret]) => secret)
  const files = [
    hasSecrets ? settingsFile : undefined,
    identityKey,
    pushKey,
    ...secrets.flatMap((secret) =>
      typeof secret === 'object' && 'file' in secret ? secret.file : [],
    ),
  ]
  return [...new Set(files)].filter(
    (file) => file !== undefined && isReadByOthers(file),
  ) as string[]
}

/** Windows tells by other means who may read a file. */
function isReadByOthers(file: string): boolean {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0
  return process.platform !== 'win32' && (mode & 0o044) !== 0
}
