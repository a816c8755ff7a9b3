import { expect, it } from 'vitest'
import { measuresOf } from './machineWords.ts'

it('WB500: CPU, memory and disk are told in words, against the smaller of what there is and what is allowed', () => {
  const measures = measuresOf({
    cpu: { cores: 8, used: 150, configured: 2 },
    memory: { total: 32, used: 1, configured: 4 },
    storage: { total: 20, used: 30, configured: 0 },
  })
  expect(measures).toEqual([
    { name: 'CPU', words: '150 % of 2 cores', share: 0.75 },
    { name: 'Memory', words: '1.0 of 4.0 GiB', share: 0.25 },
    { name: 'Disk', words: '30.0 of 20.0 GB', share: 1 },
  ])
})
