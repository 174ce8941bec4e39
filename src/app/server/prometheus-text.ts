/** One measurement with its labels. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string | number>>
  readonly value: number
  /** Appended to the family's name: `_bucket`, `_sum`, `_count` of a histogram. */
  readonly suffix?: string
}

/** Measurements of one name. */
export interface MetricFamily {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly samples: readonly Sample[]
}

export const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Metrics in Prometheus' text format 0.0.4. */
export function prometheusText(families: readonly MetricFamily[]): string {
  return families.map(familyText).join('')
}

function familyText({ name, help, type, samples }: MetricFamily): string {
  const lines = samples.map(
    ({ labels, value, suffix = '' }) => `${name}${suffix}${labelText(labels)} ${numberText(value)}`,
  )
  const safeHelp = help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
  return [`# HELP ${name} ${safeHelp}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n')
}

function labelText(labels: Sample['labels'] = {}): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(String(value))}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf'
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value)
}
