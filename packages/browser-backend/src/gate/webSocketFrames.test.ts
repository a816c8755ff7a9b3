import { expect, it } from 'vitest'
import { encodeFrame, FrameReader, OPCODES } from './webSocketFrames.ts'

const bytes = (...given: number[]) => new Uint8Array(given)
const text = (data: Uint8Array) => new TextDecoder().decode(data)

it('BB895: masks what a page sends, in all three forms of its length', () => {
  for (const [size, header] of [
    [5, 2],
    [300, 4],
    [70_000, 10],
  ] as const) {
    const data = new Uint8Array(size).map((_, index) => index)
    const frame = encodeFrame(OPCODES.binary, data)
    expect([frame[0], frame[1]! & 0x80, frame.length]).toEqual([0x82, 0x80, header + 4 + size])
    const mask = frame.subarray(header, header + 4)
    expect(frame.subarray(header + 4).map((byte, index) => byte ^ mask[index & 3]!)).toEqual(data)
  }
})

it('BB895: puts messages together however their bytes come, with others between their parts', () => {
  const reader = new FrameReader()
  const sent = [0x01, 2, 0x68, 0x65, 0x89, 1, 0x70, 0x80, 3, 0x6c, 0x6c, 0x6f, 0x82, 0]
  const heard = sent.flatMap((byte) => reader.read(bytes(byte)))
  expect(heard.map(({ opcode, data }) => [opcode, text(data)])).toEqual([
    [OPCODES.ping, 'p'],
    [OPCODES.text, 'hello'],
    [OPCODES.binary, ''],
  ])
})

it('BB895: takes nothing that a server must not send', () => {
  for (const [frame, words] of [
    [[0x81, 0x81, 1, 2, 3, 4, 5], /masked/],
    [[0xc1, 0], /extension/],
    [[0x80, 0], /out of place/],
    [[0x01, 0, 0x01, 0], /out of place/],
  ] as const)
    expect(() => new FrameReader().read(bytes(...frame))).toThrow(words)
})
