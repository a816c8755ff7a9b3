import { describe, expect, it } from 'vitest'
import { limitConcurrency } from './limitConcurrency.ts'

describe('a limit of concurrency', () => {
  it('lets the next task in when one ends, also when it fails', async () => {
    const limited = limitConcurrency(2)
    const started: number[] = []
    const ends: { resolve: () => void; reject: (error: Error) => void }[] = []
    const results = [0, 1, 2, 3].map((id) =>
      limited(() => {
        started.push(id)
        return new Promise<void>((resolve, reject) => ends.push({ resolve, reject }))
      }),
    )
    expect(started).toEqual([0, 1])
    ends[0]!.reject(new Error('failed'))
    await expect(results[0]).rejects.toThrow('failed')
    expect(started).toEqual([0, 1, 2])
    ends[1]!.resolve()
    await results[1]
    expect(started).toEqual([0, 1, 2, 3])
    ends[2]!.resolve()
    ends[3]!.resolve()
    await Promise.all(results.slice(1))
  })
})
