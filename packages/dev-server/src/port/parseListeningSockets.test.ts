import { describe, expect, it } from 'vitest'
import { parseListeningSockets } from './parseListeningSockets.ts'

const table4 = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000:07E8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1130 1 0000000056dc6adf 100 0 0 10 0
   1: 0100007F:1435 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 99887 1 0000000056dc6adf 100 0 0 10 0
   2: 0100007F:1435 0100007F:D2F0 01 00000000:00000000 00:00000000 00000000  1000        0 99888 1 0000000056dc6adf 20 4 30 10 -1
   3: 0502000A:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 5 1 0000000056dc6adf 100 0 0 10 0
`
const table6 = `  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000000000000000000000000000:0BB8 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 700 1 0000000000000000 100 0 0 10 0
   1: 00000000000000000000000001000000:0BB9 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 701 1 0000000000000000 100 0 0 10 0
   2: 0000000000000000FFFF00000100007F:0BBA 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 702 1 0000000000000000 100 0 0 10 0
   3: 000080FE00000000FF565A0201000000:0BBB 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 703 1 0000000000000000 100 0 0 10 0
`

describe('the table of sockets', () => {
  it('PO1: what listens on the loopback or everywhere is a port; connections and other addresses are not', () => {
    expect(parseListeningSockets(table4)).toEqual([
      { port: 2024, inode: 1130 },
      { port: 5173, inode: 99_887 },
    ])
    expect(parseListeningSockets(table6)).toEqual([
      { port: 3000, inode: 700 },
      { port: 3001, inode: 701 },
      { port: 3002, inode: 702 },
    ])
  })

  it('PO1: damaged lines are left out', () => {
    expect(parseListeningSockets('')).toEqual([])
    expect(parseListeningSockets('header\n nonsense\n 0: 00000000:ZZZZ 0 0A 0 0 0 0 0 x\n')).toEqual([])
  })
})
