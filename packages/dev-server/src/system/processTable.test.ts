import { expect, it } from 'vitest'
import { parseProcessStat, processesOf } from './processTable.ts'

const line =
  '4242 (a) S (b) S 17 4242 4000 34816 4242 4194560 1 2 3 4 150 50 0 0 20 0 1 0 100 7000000 512 18446744073709551615 1 1 0'

it('SY3: a process is read although its name holds blanks and parentheses', () => {
  expect(parseProcessStat(line)).toEqual({
    pid: 4242,
    parent: 17,
    session: 4000,
    ticks: 200,
    residentPages: 512,
    isZombie: false,
  })
  expect(parseProcessStat('')).toBeUndefined()
  expect(parseProcessStat('12 (x')).toBeUndefined()
})

it('SY3: the processes of a shell are its session and what its members started', () => {
  const entry = (pid: number, parent: number, session: number) => ({
    pid,
    parent,
    session,
    ticks: 0,
    residentPages: 0,
    isZombie: false,
  })
  const processes = [
    entry(13, 12, 13),
    entry(10, 1, 10),
    entry(11, 10, 10),
    entry(12, 11, 12),
    entry(20, 1, 20),
    entry(14, 1, 10),
  ]
  expect(
    processesOf(10, processes)
      .map(({ pid }) => pid)
      .toSorted(),
  ).toEqual([10, 11, 12, 13, 14])
})
