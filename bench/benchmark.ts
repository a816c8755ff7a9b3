/** One benchmark: measures Boxyard and its peer alternately in the same run, so that their ratio survives a busy machine. */
export interface Benchmark {
  name: string
  /** What is measured, in one line. */
  description: string
  peer: string
  unit: 'ms' | 'MB/s' | '1/s' | 'MB'
  /** Whether a smaller figure is the better one. */
  smallerIsBetter: boolean
  run(report: (line: string) => void): Promise<Measurement>
}

export interface Measurement {
  own: readonly number[]
  peer: readonly number[]
}

export interface Figures {
  median: number
  p99: number
  runs: number
}

export function figuresOf(samples: readonly number[]): Figures {
  if (samples.length === 0) throw new Error('A benchmark without a sample says nothing')
  const sorted = samples.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
  const round = (value: number) => Number(value.toPrecision(4))
  return { median: round(at(0.5)), p99: round(at(0.99)), runs: sorted.length }
}
