import { existsSync, globSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { UsageError } from '#app/text/usage-error.ts'

const MOST_HOSTS = 6
/** Where Debian keeps the documentation of some large projects. */
const DEBIAN = [
  'python3*/html',
  'postgresql-doc-*/html',
  'debian-handbook/html/en-US',
  'apache2-doc/manual/en',
  'python-django-doc/html',
  'rust-doc/html/std',
  'nodejs/api',
]

/** Folders of pages to be served, one a host: those named, or what Debian has below the place where it is unpacked. */
export function foldersOf(named: string, debian: string): string[] {
  const given = named.split(',').filter((name) => name !== '')
  for (const folder of given)
    if (!existsSync(folder)) throw new UsageError(`--folders: there is no folder "${folder}"`)
  const found = given.length > 0 ? given : DEBIAN.flatMap((place) => placesOf(debian, place))
  if (found.length < 2)
    throw new UsageError(
      'the trial wants two folders of HTML pages or more: install python3-doc, postgresql-doc, debian-handbook, ' +
        'apache2-doc, python-django-doc and rust-doc, or name folders (--folders A,B,C)',
    )
  return found.slice(0, MOST_HOSTS).map((folder) => resolve(folder))
}

function placesOf(debian: string, place: string): string[] {
  const inPackages = globSync([join('usr/share/doc', place), join('*/usr/share/doc', place)], {
    cwd: debian,
  })
  const found = inPackages.map((folder) => join(debian, folder)).filter((path) => isFolder(path))
  return found.slice(0, 1)
}

function isFolder(path: string): boolean {
  return statSync(path).isDirectory()
}
