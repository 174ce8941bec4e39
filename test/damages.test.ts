import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cases, isThorough } from '#numeric/cases.test-kit.ts'
import { seededRandom } from '#numeric/random.ts'
import { checkCrawl, repairCrawl } from '#repository/check/check-crawl.ts'
import { PARTS } from '#repository/check/parts.ts'
import { damageFile, type RandomDamage } from '../src/repository/random-damage.test-kit.ts'
import { answersOf, type KilledCrawl, makeKilledCrawl } from './killed-crawl.ts'

/** FORAGER_CASES=1000 takes some minutes, and FORAGER_SEED makes them others; by default single damages are tried, in `check.test.ts`. */
const CASES = cases(0)
/** Of the damages that are noticed, one in so many is mended too. */
const REPAIRED_SHARE = 10
const KINDS = ['overwrite', 'overwrite', 'overwrite', 'cut', 'append'] as const
const random = seededRandom(Number(process.env.FORAGER_SEED ?? 2026))

/** Any place is as likely as any other; one byte, a few, or up to a thousand. */
function someDamage(): RandomDamage {
  const most = [1, 20, 1000][random.below(3)]
  const length = 1 + random.below(most)
  return {
    kind: KINDS[random.below(KINDS.length)],
    place: random.next(),
    bytes: Uint8Array.from({ length }, () => random.below(256)),
  }
}

let folder: string
let dir: string
let killed: KilledCrawl
let answers: Awaited<ReturnType<typeof answersOf>>
beforeAll(async () => {
  if (!isThorough) return
  folder = mkdtempSync(join(tmpdir(), 'forager-damages-'))
  killed = await makeKilledCrawl(folder)
  dir = killed.dir
  answers = await answersOf(killed)
  expect(answers.found.flat().length, 'something is found').toBeGreaterThan(0)
  expect(answers.recovered, 'something is pending').toBeGreaterThan(0)
})
afterAll(() => {
  if (isThorough) rmSync(folder, { recursive: true, force: true })
})

const placeOf = (crawl: string) => ({ dir: crawl, warcDir: join(crawl, 'warc') })

/** Every file that a part stands for. Others, as `progress.json`, are words between processes that live. */
function filesOfParts(): { part: string; path: string }[] {
  return PARTS.flatMap(({ name, paths }) =>
    paths
      .map((path) => join(dir, path))
      .filter((path) => existsSync(path))
      .flatMap((path) =>
        statSync(path).isDirectory() ? readdirSync(path).map((file) => join(path, file)) : [path],
      )
      .map((path) => ({ part: name, path })),
  )
}

/** A journal that was cut short is what a kill leaves: nobody can tell. */
const isLikeAKill = (path: string, { kind }: RandomDamage) =>
  kind === 'cut' && path.includes('segments')

async function damagedParts(crawl: string) {
  const checked = await checkCrawl(placeOf(crawl), PARTS)
  return checked.filter(({ damages }) => damages.length > 0)
}

/** Mends a copy; it answers as before, but for what was said to be lost. */
async function mendCopy(what: string): Promise<void> {
  const copy = join(folder, 'copy')
  rmSync(copy, { recursive: true, force: true })
  cpSync(dir, copy, { recursive: true })
  const repaired = await repairCrawl(placeOf(copy), PARTS)
  expect(await damagedParts(copy), `${what}, mended`).toEqual([])
  const after = await answersOf({ ...killed, dir: copy })
  if (repaired.every(({ lost }) => lost.length === 0)) expect(after, what).toEqual(answers)
}

test.runIf(isThorough)('a directory that was killed is whole', async () => {
  expect(await damagedParts(dir)).toEqual([])
})

test.runIf(isThorough)(
  `${CASES} random damages are each noticed or change no answer, and repairs bring the answers back`,
  async () => {
    const files = filesOfParts()
    let noticed = 0
    for (let number = 0; number < CASES; number++) {
      const { part, path } = files[random.below(files.length)]
      const damage = someDamage()
      if (isLikeAKill(path, damage)) continue
      const what = `case ${number}: ${damage.kind} of ${damage.bytes.length} at ${damage.place.toFixed(3)} in ${relative(dir, path)}`
      const before = damageFile(path, damage)
      if (!before) continue
      try {
        const damaged = await damagedParts(dir)
        if (damaged.length === 0) expect(await answersOf(killed), what).toEqual(answers)
        else {
          expect(
            damaged.map(({ name }) => name),
            what,
          ).toContain(part)
          if (noticed++ % REPAIRED_SHARE === 0) await mendCopy(what)
        }
      } finally {
        writeFileSync(path, before)
      }
    }
    expect(noticed).toBeGreaterThan(CASES / 2)
  },
  1_800_000,
)
