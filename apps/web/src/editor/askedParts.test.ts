import { expect, it } from 'vitest'
import { askedSideBar, asksForConsole } from './askedParts.ts'

it('WB1064: an address names the view of the side bar, or wants none', () => {
  expect(askedSideBar('?sidebar=%22search%22')).toBe('search')
  expect(askedSideBar('?file=a.ts&sidebar=scm')).toBe('scm')
  expect(askedSideBar('?sidebar=false')).toBe(false)
  for (const search of [
    '',
    '?sidebar',
    '?sidebar=',
    '?sidebar=true',
    '?sidebar=null',
    '?sidebar=nine',
    '?sidebar={"a":',
  ])
    expect([search, askedSideBar(search)]).toEqual([search, undefined])
})

it('WB1065: an address opens the console of the preview', () => {
  for (const search of ['?showConsole', '?showConsole=true', '?showConsole=1'])
    expect([search, asksForConsole(search)]).toEqual([search, true])
  for (const search of ['', '?showConsole=false', '?showConsole=0', '?console=1'])
    expect([search, asksForConsole(search)]).toEqual([search, false])
})
