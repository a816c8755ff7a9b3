import { expect, test } from 'vitest'
import { linksIn } from './linksIn.ts'

test('finds the addresses of pages in a text, without the punctuation behind them', () => {
  expect(linksIn('Join: http://app.example.org/invite/a?b=c.\nThank you')).toEqual([
    { text: 'Join: ' },
    { text: 'http://app.example.org/invite/a?b=c', url: 'http://app.example.org/invite/a?b=c' },
    { text: '.\nThank you' },
  ])
})

test('leaves everything else as text', () => {
  expect(linksIn('javascript:alert(1) <b>')).toEqual([{ text: 'javascript:alert(1) <b>' }])
  expect(linksIn('')).toEqual([])
})
