import { expect, it } from 'vitest'
import { clientClasses, clientRules } from './clientStyle.ts'
import { cursorDecorations } from './cursorDecorations.ts'

const { selection, cursor } = clientClasses('c-1')

it('WB20: a caret is a mark without a stretch', () => {
  expect(cursorDecorations('c-1', 'Ada', [{ anchor: 3, head: 3 }], 10)).toEqual([
    { start: 3, end: 3, classes: { caretAfter: cursor }, hover: 'Ada' },
  ])
})

it('WB20: the caret stands at the head of a selection, whichever side that is', () => {
  expect(
    cursorDecorations(
      'c-1',
      'Ada',
      [
        { anchor: 2, head: 5 },
        { anchor: 9, head: 7 },
      ],
      10,
    ),
  ).toEqual([
    { start: 2, end: 5, classes: { selection, caretAfter: cursor }, hover: 'Ada' },
    { start: 7, end: 9, classes: { selection, caretBefore: cursor }, hover: 'Ada' },
  ])
})

it('WB20: offsets past the end of the text stay at its end', () => {
  expect(cursorDecorations('c-1', 'Ada', [{ anchor: 99, head: 99 }], 4)[0]).toMatchObject({ start: 4, end: 4 })
})

it('WB21: ids never make two clients share a class, nor leave the class name', () => {
  expect(clientClasses('a.b')).not.toEqual(clientClasses('a-b'))
  expect(clientClasses('a { } b').cursor).toMatch(/^[A-Za-z0-9-]+$/)
})

it('WB21: a hostile name or color stays inside its rule', () => {
  const rules = clientRules({ clientId: 'x', name: '"} body { display: none } \\', color: 'red;} * {' })
  expect(rules.match(/[{}]/g)).toHaveLength(6)
  expect(rules).not.toContain('red;')
  expect(rules).toContain('#A7ADB6')
})

it('WB21: the name is readable on the color', () => {
  expect(clientRules({ clientId: 'x', name: 'Ada', color: '#FFE500' })).toContain('color: #17191C')
  expect(clientRules({ clientId: 'x', name: 'Ada', color: '#862B2B' })).toContain('color: #FFFFFF')
  expect(clientRules({ clientId: 'x', name: 'Anonymous', color: '#FF0000' })).toContain('color: #17191C')
})
