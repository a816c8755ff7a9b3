import { expect, it } from 'vitest'
import { tailText } from './tailText.ts'

it('WB44: shows the last lines without colors, titles and empty lines', () => {
  const output = '\x1b]0;title\x07\x1b[1m\x1b[32mVITE\x1b[0m ready\r\n\r\n  \x1b[2mlocal:\x1b[22m http://localhost\r\n'
  expect(tailText(output, 5)).toEqual(['VITE ready', '  local: http://localhost'])
  expect(tailText('1\n2\n3\n4', 2)).toEqual(['3', '4'])
})

it('WB44: a line that was written over is shown as it ended', () => {
  expect(tailText('10%\r50%\r100%\r\ndone', 5)).toEqual(['100%', 'done'])
})
