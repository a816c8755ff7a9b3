import { Buffer } from 'buffer/index.js'
import { inContext } from '../asyncContext.ts'
import type { FromServer, Headers as HeaderList, ToServer } from '../../common/httpLine.ts'

export interface UpgradeAnswer {
  status: number
  reason: string
  headers: HeaderList
}

export interface UpgradeSink {
  /** The head of the answer is there, and what came with it. */
  head(answer: UpgradeAnswer, rest: Uint8Array): void
  /** Bytes behind it; null at the end of them. */
  data(bytes: Uint8Array | null): void
  failed(): void
}

export interface UpgradedLine {
  send(bytes: Uint8Array | null): void
  close(): void
}

/** Asks a server of the sandbox for another protocol. What it answers are bytes from the first line on. */
export function upgradeLine(
  line: MessagePort,
  request: { method: string; url: string; headers: HeaderList },
  sink: UpgradeSink,
): UpgradedLine {
  let head: Uint8Array | null = new Uint8Array(0)
  const take = (bytes: Uint8Array | null): void => {
    if (head === null) return sink.data(bytes)
    if (bytes === null) return sink.failed()
    head = Buffer.concat([head, bytes])
    const end = (head as Buffer).indexOf('\r\n\r\n')
    if (end < 0) return undefined
    const [text, rest] = [(head as Buffer).toString('latin1', 0, end), head.subarray(end + 4)]
    head = null
    return sink.head(answerOf(text), rest)
  }
  line.onmessage = inContext(({ data }: MessageEvent<FromServer>) => {
    if (data.type === 'data') take(data.data)
    else if (data.type === 'failed') sink.failed()
  })
  const post = (message: ToServer) => line.postMessage(message)
  post({ type: 'request', id: 1, upgrade: true, body: null, ...request })
  return {
    send: (data) => post({ type: 'data', id: 1, data }),
    close: () => {
      post({ type: 'gone', id: 1 })
      line.close()
    },
  }
}

function answerOf(text: string): UpgradeAnswer {
  const [first = '', ...lines] = text.split('\r\n')
  const [, status, reason = ''] = /^HTTP\/1\.\d (\d{3}) ?(.*)$/.exec(first) ?? []
  const headers = lines.flatMap((line): [string, string][] => {
    const at = line.indexOf(':')
    return at < 1 ? [] : [[line.slice(0, at), line.slice(at + 1).trim()]]
  })
  return { status: Number(status ?? 0), reason, headers }
}
