import type { SegmentStore } from '#crawl/segments/segment-store.ts'
import { SettingError } from '#errors/setting-error.ts'

/** Whoever has not answered by then is not there. */
const CONNECT_MS = 5_000
const ANSWER_MS = 30_000

/** Where segments lie in a bucket, by `s3://bucket/prefix`. */
interface S3Place {
  readonly bucket: string
  /** Ends in a slash, unless it is empty. */
  readonly prefix: string
}

/** Undefined if the text is no such address. */
export function s3Place(text: string): S3Place | undefined {
  const match = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\x21-\x7e]*))?$/.exec(text)
  if (!match) return undefined
  const [, bucket, path = ''] = match
  const folder = path.replace(/\/+$/, '')
  return { bucket, prefix: folder === '' ? '' : `${folder}/` }
}

/**
 * Segments in S3, or in what speaks like it. Region, credentials and endpoint are found as its other programs find
 * them: environment variables (AWS_REGION, AWS_ENDPOINT_URL …), files, or the machine's role.
 */
export async function s3Segments({ bucket, prefix }: S3Place): Promise<SegmentStore> {
  const sdk = await import('@aws-sdk/client-s3').catch((cause: unknown) => {
    throw new SettingError(
      'store',
      's3:// needs the package @aws-sdk/client-s3: npm install @aws-sdk/client-s3',
      { cause },
    )
  })
  const client = new sdk.S3Client({
    // Servers of one's own have no names for their buckets.
    forcePathStyle: process.env.AWS_ENDPOINT_URL !== undefined,
    requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: ANSWER_MS },
  })
  const at = (name: string) => ({ Bucket: bucket, Key: prefix + name })
  await client.send(new sdk.HeadBucketCommand({ Bucket: bucket })).catch((cause: Error) => {
    client.destroy()
    const reason = `{store}: the bucket ${bucket} cannot be used (${cause.name}): see that it exists, and AWS_REGION, AWS_ENDPOINT_URL and credentials`
    throw new SettingError('store', reason, { cause })
  })
  return {
    async put(name, bytes) {
      await client.send(new sdk.PutObjectCommand({ ...at(name), Body: bytes }))
    },
    async get(name) {
      try {
        const { Body } = await client.send(new sdk.GetObjectCommand(at(name)))
        return await Body!.transformToByteArray()
      } catch (error) {
        if (error instanceof sdk.NoSuchKey) return undefined
        throw error
      }
    },
    async list() {
      const names: string[] = []
      const pages = sdk.paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix })
      for await (const { Contents = [] } of pages)
        names.push(...Contents.map(({ Key }) => Key!.slice(prefix.length)))
      return names.filter((name) => !name.includes('/')).toSorted()
    },
    async remove(name) {
      await client.send(new sdk.DeleteObjectCommand(at(name)))
    },
    async close() {
      client.destroy()
    },
  }
}
