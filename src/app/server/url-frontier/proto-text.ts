import { URL_FRONTIER } from './protocol.ts'

interface Field {
  readonly type: string
  readonly id: number
  readonly rule?: string
  readonly keyType?: string
  readonly options?: object
}

interface Message {
  readonly fields: Readonly<Record<string, object>>
  readonly oneofs?: Readonly<Record<string, { readonly oneof: readonly string[] }>>
  readonly nested?: Readonly<Record<string, { readonly values: Readonly<Record<string, number>> }>>
}

/** The protocol as a .proto file, from which clients in any language can be made. */
export function protoText(): string {
  const { URLFrontier, ...messages } = URL_FRONTIER.nested.urlfrontier.nested
  const { methods } =
    URLFrontier as (typeof URL_FRONTIER)['nested']['urlfrontier']['nested']['URLFrontier']
  const rpcs = Object.entries(methods).map(([name, rpc]) => {
    const [takes, gives] = [
      side(rpc.requestType, rpc.requestStream),
      side(rpc.responseType, rpc.responseStream),
    ]
    return `  rpc ${name}(${takes}) returns (${gives});`
  })
  const written = Object.entries(messages).map(([name, one]) => messageText(name, one as Message))
  return [
    'syntax = "proto3";',
    'package urlfrontier;',
    'option java_package = "crawlercommons.urlfrontier";',
    `service URLFrontier {\n${rpcs.join('\n')}\n}`,
    ...written,
    '',
  ].join('\n\n')
}

function side(type: string, isStream: boolean): string {
  return isStream ? `stream ${type}` : type
}

function messageText(name: string, { fields, oneofs = {}, nested = {} }: Message): string {
  const all = Object.entries(fields) as [string, Field][]
  const choices = Object.entries(oneofs).filter(([of]) => !of.startsWith('_'))
  const chosen = new Set(choices.flatMap(([, { oneof }]) => oneof))
  const lines = [
    ...Object.entries(nested).map(([of, { values }]) => `enum ${of} {\n${valuesText(values)}\n  }`),
    ...choices.map(([of, { oneof }]) => {
      const some = all.filter(([field]) => oneof.includes(field))
      return `oneof ${of} {\n${some.map((one) => `    ${fieldText(one)}`).join('\n')}\n  }`
    }),
    ...all.filter(([field]) => !chosen.has(field)).map(fieldText),
  ]
  return `message ${name} {${lines.map((line) => `\n  ${line}`).join('')}\n}`
}

function valuesText(values: Readonly<Record<string, number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `    ${name} = ${value};`)
    .join('\n')
}

function fieldText([name, { type, id, rule, keyType, options }]: [string, Field]): string {
  if (keyType) return `map<${keyType}, ${type}> ${name} = ${id};`
  const first = rule ? `${rule} ` : options ? 'optional ' : ''
  return `${first}${type} ${name} = ${id};`
}
