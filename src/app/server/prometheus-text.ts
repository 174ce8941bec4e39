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

/** Counts values by upper bounds, as Prometheus wants them. */
export class Histogram {
  readonly #bounds: readonly number[]
  /** counts[i]: values above bounds[i - 1] and at most bounds[i]; the last has no bound. */
  readonly #counts: number[]
  #sum = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = new Array(bounds.length + 1).fill(0)
  }

  add(value: number): void {
    const bucket = this.#bounds.findIndex((bound) => value <= bound)
    this.#counts[bucket < 0 ? this.#bounds.length : bucket]++
    this.#sum += value
  }

  samples(): Sample[] {
    let count = 0
    const buckets = [...this.#bounds, Number.POSITIVE_INFINITY].map((bound, i) => {
      count += this.#counts[i]
      const le = bound === Number.POSITIVE_INFINITY ? '+Inf' : bound
      return { suffix: '_bucket', labels: { le }, value: count }
    })
    return [...buckets, { suffix: '_sum', value: this.#sum }, { suffix: '_count', value: count }]
  }
}
