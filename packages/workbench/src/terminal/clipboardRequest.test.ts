import { expect, test } from 'vitest'
import { clipboardRequest, MAX_COPIED } from './clipboardRequest.ts'

const encoded = (text: string) => Buffer.from(text).toString('base64')

test('WB881: a program copies a text', () => {
  expect(clipboardRequest(`c;${encoded('grüße 👋\n')}`)).toEqual({ kind: 'copy', text: 'grüße 👋\n' })
  expect(clipboardRequest(`;${encoded('x'.repeat(MAX_COPIED))}`)).toMatchObject({ kind: 'copy' })
})

test.each(['c;?', 'c;', '', 'c', 'c;not base64!', `c;${Buffer.from([0xff, 0xfe]).toString('base64')}`])(
  'WB881: %j asks for nothing that is given',
  (data) => expect(clipboardRequest(data)).toEqual({ kind: 'nothing' }),
)

test('WB881: what is too long is not copied', () => {
  expect(clipboardRequest(`c;${encoded('x'.repeat(MAX_COPIED + 1))}`)).toEqual({ kind: 'too-long' })
  expect(clipboardRequest(`c;${'A'.repeat(MAX_COPIED * 6)}`)).toEqual({ kind: 'too-long' })
})
