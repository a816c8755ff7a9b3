import { expect, it } from 'vitest'
import { measuresOf, sizeWords } from './machineWords.ts'

it('WB500: CPU, memory and disk are told in words, against the smaller of what there is and what is allowed', () => {
  const measures = measuresOf({
    cpu: { cores: 8, used: 150, configured: 2 },
    memory: { total: 32, used: 1, configured: 4 },
    storage: { total: 20, used: 30, configured: 0 },
  })
  expect(measures).toEqual([
    { name: 'CPU', words: '150 % of 2 cores', share: 0.75 },
    { name: 'Memory', words: '1 of 4 GiB', share: 0.25 },
    { name: 'Disk', words: '30 of 20 GB', share: 1 },
  ])
})

it('WB500: what is less than the unit of the limit is told in the next smaller one', () => {
  const measures = measuresOf({
    cpu: { cores: 2, used: 0, configured: 0 },
    memory: { total: 8, used: 0.25, configured: 0 },
    storage: { total: 21.47, used: 0.0124, configured: 0 },
  })
  expect(measures.map(({ words }) => words)).toEqual(['0 % of 2 cores', '256 MiB of 8 GiB', '12 MB of 21.5 GB'])
})

it('WB962: a size says what a machine of it has', () => {
  expect(sizeWords({ tier: 1, name: 'Pico', cpu: 1, memory: 2, storage: 20 })).toBe('Pico: 1 core, 2 GiB, 20 GB disk')
  expect(sizeWords({ tier: 2, name: 'Nano', cpu: 2, memory: 4, storage: 20 })).toBe('Nano: 2 cores, 4 GiB, 20 GB disk')
})
