import { describe, expect, it } from 'vitest'
import { s3Place, s3Segments } from './s3-segments.ts'
import { segmentsContract } from './segments-contract.test-kit.ts'

/** Run by `npm run test:s3`, in CI too, against a server that speaks S3. */
const isWanted = process.env.FORAGER_S3 !== undefined

describe('an address of segments in S3', () => {
  it.each([
    ['s3://bucket', { bucket: 'bucket', prefix: '' }],
    ['s3://my.bucket/a/b/', { bucket: 'my.bucket', prefix: 'a/b/' }],
    ['s3://Bucket', undefined],
    ['s3:///prefix', undefined],
    ['folder', undefined],
  ])('%s', (text, place) => {
    expect(s3Place(text)).toEqual(place)
  })
})

describe.runIf(isWanted)('segments in S3', () => {
  let prefixes = 0
  segmentsContract(async () => {
    const { CreateBucketCommand, S3Client } = await import('@aws-sdk/client-s3')
    const client = new S3Client({ forcePathStyle: true })
    await client.send(new CreateBucketCommand({ Bucket: 'segments' })).catch(() => {})
    client.destroy()
    return s3Segments({ bucket: 'segments', prefix: `try-${prefixes++}/` })
  })

  it('says what to look at when the bucket is not there', async () => {
    await expect(s3Segments({ bucket: 'no-such-bucket', prefix: '' })).rejects.toThrow(
      'no-such-bucket',
    )
  })
})
