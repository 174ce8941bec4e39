import { crc32 } from 'node:zlib'

const SEAL = /,"crc":"([0-9a-f]{8})"\}$/

/** A JSON object as a line, with a checksum of it as its last field: others read it as JSON lines. */
export function sealedLine(object: object): string {
  const text = JSON.stringify(object)
  const crc = crc32(text).toString(16).padStart(8, '0')
  return `${text.slice(0, -1)},"crc":"${crc}"}\n`
}

/** The JSON of a line, without line end, that is as it was written; undefined if it is not, or has no checksum. */
export function unsealedLine(line: string): string | undefined {
  const seal = SEAL.exec(line)
  if (!seal) return undefined
  const text = `${line.slice(0, seal.index)}}`
  return crc32(text) === Number.parseInt(seal[1], 16) ? text : undefined
}
