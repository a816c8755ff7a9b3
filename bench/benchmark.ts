/** One benchmark: measures Boxyard and its peer alternately in the same run, so that their ratio survives a busy machine. */
export interface Benchmark {
  name: string
  /** What is measured, in one line. */
  description: string
  peer: string
  /** How often Boxyard and the peer take turns when `--runs` does not say otherwise. */
  runs: number
  run(options: BenchmarkOptions): Promise<Measurement>
}

export interface BenchmarkOptions {
  runs: number
  report: (line: string) => void
}

/** What was measured. The first series is the one the benchmark is named after. */
export type Measurement = readonly [Series, ...Series[]]

export interface Series {
  name: string
  /** `lost edits` counts: its samples are added up, and nothing but their sum matters. */
  unit: 'ms' | 'MB/s' | '1/s' | 'MB' | 'lost edits'
  better: 'smaller' | 'larger'
  own: readonly number[]
  /** Null where nothing comparable exists. */
  peer: { name: string; samples: readonly number[] } | null
  budget?: Budget
}

/** `ratio` is that of the medians, own to peer. */
export interface Budget {
  of: 'median' | 'p99' | 'total' | 'ratio'
  limit: number
}

export interface Figures {
  median: number
  p99: number
  total: number
  runs: number
}

export interface SeriesReport {
  name: string
  unit: Series['unit']
  better: Series['better']
  figures: Figures
  peer: ({ name: string } & Figures) | null
  /** Own to peer: of the sums where things are counted, of the medians elsewhere. Null without a peer, or when the peer has 0. */
  ratio: number | null
  ratioOfP99: number | null
  budget: (Budget & { met: boolean }) | null
}

export function figuresOf(samples: readonly number[]): Figures {
  if (samples.length === 0) throw new Error('A benchmark without a sample says nothing')
  const sorted = samples.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
  return {
    median: rounded(at(0.5)),
    p99: rounded(at(0.99)),
    total: rounded(samples.reduce((sum, sample) => sum + sample, 0)),
    runs: sorted.length,
  }
}

export function reportOf({ name, unit, better, own, peer, budget }: Series): SeriesReport {
  const figures = figuresOf(own)
  const peerFigures = peer && figuresOf(peer.samples)
  const of = unit === 'lost edits' ? 'total' : 'median'
  const ratio = peerFigures && ratioOf(figures[of], peerFigures[of])
  return {
    name,
    unit,
    better,
    figures,
    peer: peer && peerFigures && { name: peer.name, ...peerFigures },
    ratio,
    ratioOfP99: unit === 'lost edits' ? null : peerFigures && ratioOf(figures.p99, peerFigures.p99),
    budget: budget ? { ...budget, met: isMet(budget, better, figures, ratio) } : null,
  }
}

function isMet({ of, limit }: Budget, better: Series['better'], figures: Figures, ratio: number | null): boolean {
  const value = of === 'ratio' ? ratio : figures[of]
  if (value === null) return false
  return better === 'smaller' ? value <= limit : value >= limit
}

const ratioOf = (own: number, peer: number): number | null => (peer === 0 ? null : rounded(own / peer, 3))

const rounded = (value: number, digits = 4): number => Number(value.toPrecision(digits))
