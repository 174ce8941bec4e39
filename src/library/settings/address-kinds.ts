import { s3Place } from '#repository/segments/s3-segments.ts'
import { isContact } from './identity.ts'
import { isPushAddress, openSearchAddress } from './push-address.ts'
import { lineThat } from './setting-kinds.ts'
import { isAgent } from './signing.ts'

/** A glob's text is all right as long as it has something to match. */
export const urlPattern = lineThat(
  "a URL pattern, as in 'example.org/blog/*'",
  '"example.org/blog/*"',
  (text) => !/\s/.test(text),
)
export const proxyAddress = lineThat(
  'the address of an HTTP proxy, as in http://proxy.example:3128',
  '"http://proxy.example:3128"',
  (text) => /^http:\/\/[^\s/]+\/?$/i.test(text) && URL.canParse(text),
)
export const contactAddress = lineThat(
  'a mail address or a web page, as in you@example.org or https://your.site/bot',
  '"you@example.org"',
  isContact,
)
export const pushAddress = lineThat(
  'the address of a webhook or an index, as in https://hooks.example/forager or opensearch://127.0.0.1:9200/pages',
  '"https://hooks.example/forager"',
  isPushAddress,
)
export const engineAddress = lineThat(
  'the address of an index, as in opensearch://127.0.0.1:9200/pages',
  '"opensearch://127.0.0.1:9200/pages"',
  (text) => openSearchAddress(text) !== undefined,
)
export const agentOrigin = lineThat(
  'the origin of a web site, as in https://bot.example',
  '"https://bot.example"',
  isAgent,
)
export const publicAddress = lineThat(
  'a web address without a query, as in https://bot.example/',
  '"https://bot.example/"',
  (text) => /^https?:\/\/[^\s?#]+$/i.test(text) && URL.canParse(text),
)
export const agentText = lineThat(
  'plain ASCII text of one line, as in MyBot/1.0',
  '"MyBot/1.0"',
  (text) => /^[\x21-\x7e][\x20-\x7e]*$/.test(text),
)

export const databaseAddress = lineThat(
  'the address of a PostgreSQL database, as in postgres://forager@db.example/forager',
  '"postgres://forager@db.example/forager"',
  (text) => /^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text),
)
export const storePlace = lineThat(
  'a folder, or a place in S3 as in s3://bucket/prefix',
  '"s3://bucket/prefix"',
  (text) => !/^s3:/.test(text) || s3Place(text) !== undefined,
)
