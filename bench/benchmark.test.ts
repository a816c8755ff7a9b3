import { expect, it } from 'vitest'
import { figuresOf, reportOf } from './benchmark.ts'

it('takes median and p99 of all samples', () => {
  const samples = Array.from({ length: 100 }, (_, index) => 100 - index)
  expect(figuresOf(samples)).toEqual({ median: 51, p99: 100, total: 5050, runs: 100 })
  expect(() => figuresOf([])).toThrow('without a sample')
})

it('compares medians, and p99 beside them', () => {
  const report = reportOf({
    name: 'latency',
    unit: 'ms',
    better: 'smaller',
    own: [1, 1, 8],
    peer: { name: 'peer', samples: [2, 2, 4] },
    budget: { of: 'p99', limit: 5 },
  })
  expect(report).toMatchObject({ ratio: 0.5, ratioOfP99: 2, budget: { met: false } })
})

it('compares sums where losses are counted, and has no ratio to nothing', () => {
  const lost = { name: 'lost', unit: 'lost edits', better: 'smaller' } as const
  const budget = { of: 'total', limit: 0 } as const
  const one = reportOf({ ...lost, own: [0, 0, 1], peer: { name: 'peer', samples: [300, 100] }, budget })
  expect(one).toMatchObject({ ratio: 0.0025, ratioOfP99: null, budget: { met: false } })
  const none = reportOf({ ...lost, own: [0, 0], peer: { name: 'peer', samples: [0] }, budget })
  expect(none).toMatchObject({ ratio: null, budget: { met: true } })
})

it('takes a larger figure for the better one where it is', () => {
  const throughput = {
    name: 'throughput',
    unit: '1/s',
    better: 'larger',
    own: [30],
    peer: { name: 'peer', samples: [20] },
  } as const
  expect(reportOf({ ...throughput, budget: { of: 'ratio', limit: 1 } }).budget?.met).toBe(true)
  expect(reportOf({ ...throughput, budget: { of: 'median', limit: 31 } }).budget?.met).toBe(false)
})
