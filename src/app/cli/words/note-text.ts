import { withNames } from '#errors/setting-error.ts'
import type { FleetNote } from '#fetch/fleet/leased-fetcher.ts'
import type { CrawlNote } from '#library/open/crawl-note.ts'
import { momentText } from '../../text/age.ts'
import { flagOf, mistakeText } from '../settings/complaint.ts'
import { duration, type Output, some } from '../terminal/output.ts'
import { skippedLines } from './skipped-lines.ts'

/** Tells people what a crawl wants them to know. */
export function noteTo(output: Pick<Output, 'note'>, dir: string): (note: CrawlNote) => void {
  return (note) => {
    for (const line of noteLines(note, dir)) output.note(line)
  }
}

function fleetText(note: FleetNote): string {
  switch (note.kind) {
    case 'trouble':
      return `database or store do not answer (${reasonOf(note.error)}): waiting; workers go on with what they have`
    case 'well again':
      return 'database and store answer again'
    case 'segment lost':
      return `${note.name} in the store cannot be read (${note.reason}): what it held is paid for and lost`
  }
}

/** What an error says; those of a connection that tried several addresses say nothing themselves. */
export function reasonOf(error: Error & { code?: string }): string {
  return error.message || error.code || error.name
}

/** A note as lines for people. */
function noteLines(note: CrawlNote, dir: string): string[] {
  switch (note.kind) {
    case 'lines skipped':
      return skippedLines(note.report)
    case 'waiting for directory':
      return [`waiting for ${note.dir}, which somebody else has open`]
    case 'credentials dropped':
      return [
        `the user name and password in a seed are not sent; for a site of your own they belong into "sites" of the config file: crawling ${note.seed}`,
      ]
    case 'readable by others':
      return [`${note.file} holds secrets that others here can read: chmod 600 ${note.file}`]
    case 'site not known':
      return [
        `"sites": ${note.match} is no host of a seed, nor one that is known so far: see that it is written as in the addresses`,
      ]
    case 'includes no seed':
      return [
        `no seed matches --include ${note.patterns.map((pattern) => `'${pattern}'`).join(', ')}: seeds are fetched all the same, of their links only those that match as a whole, as 'example.org/docs/*' does`,
      ]
    case 'copies first':
      return [
        `--refresh-after: ${some(note.copies, 'copy is', 'copies are')} older: until they are fetched again, half of every plan is for them`,
      ]
    case 'archive time':
      return [`an archive was crawled here, so the time is its own: ${momentText(note.now)}`]
    case 'policy without index':
      return [
        `without an index nobody can tell what searchers gain: going by --policy ${note.policy}, new pages only`,
      ]
    case 'policy as before':
      return [`going by --policy ${note.policy} as in the last run: name another to change it`]
    case 'policy':
      return [withNames(note.text, flagOf)]
    case 'no copies':
      return [`--policy ${note.policy}: ${note.why}`]
    case 'gains not measured':
      return [
        '--until-gain: no queries are known, so gains are not measured and it cannot stop the crawl; forager queries import brings some',
      ]
    case 'taken up':
      return [`took up ${some(note.fetches, 'fetch', 'fetches')} of a run that was cut off`]
    case 'clock was wrong':
      return [
        `${some(note.fetches, 'fetch was', 'fetches were')} noted at times still to come, so the clock was wrong: they count as of now`,
      ]
    case 'warc repaired':
      return []
    case 'tries again':
      return [`${note.of}: ${note.fault}; asking again in ${duration(note.afterMs / 1000)}`]
    case 'push failed':
      return [`${note.error.message}; the pages for ${note.to} are kept for the next time`]
    case 'fleet':
      return [fleetText(note.note)]
    case 'reload failed':
      return [`not reloaded: ${mistakeText(note.error) ?? note.error.message}; all is as before`]
    case 'paused':
      return [`paused: forager resume --dir ${dir} lets it go on`]
    case 'resumed':
      return ['going on']
    case 'stopping':
      return ['stopping: what is under way gets a moment to end (again to quit at once)']
  }
}
