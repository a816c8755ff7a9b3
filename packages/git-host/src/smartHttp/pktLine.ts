/** One packet of git's wire format. */
export function pktLine(content: string | Buffer): Buffer {
  const body = Buffer.isBuffer(content) ? content : Buffer.from(content)
  return Buffer.concat([Buffer.from((body.length + 4).toString(16).padStart(4, '0')), body])
}

export const FLUSH = Buffer.from('0000')

export interface PushCommand {
  before: string
  after: string
  ref: string
}

export interface PushRequest {
  commands: PushCommand[]
  capabilities: ReadonlySet<string>
}

const commandPattern = /^([0-9a-f]{40}) ([0-9a-f]{40}) ([^\0\n]+)$/

/**
 * What a push asks for: the packets up to the first flush. `incomplete` while bytes are missing, `malformed` for what git never
 * sends. Shallow lines and push certificates are left to git.
 */
export function readPushRequest(bytes: Buffer): PushRequest | 'incomplete' | 'malformed' {
  const commands: PushCommand[] = []
  const capabilities = new Set<string>()
  let at = 0
  for (;;) {
    if (bytes.length < at + 4) return 'incomplete'
    const size = bytes.toString('latin1', at, at + 4)
    if (!/^[0-9a-f]{4}$/i.test(size)) return 'malformed'
    const length = Number.parseInt(size, 16)
    if (length === 0) return { commands, capabilities }
    if (length < 4) return 'malformed'
    if (bytes.length < at + length) return 'incomplete'
    const text = bytes.toString('utf8', at + 4, at + length).replace(/\n$/, '')
    at += length
    const [line, offered] = text.split('\0')
    for (const capability of offered?.trim().split(' ') ?? []) capabilities.add(capability)
    if (line!.startsWith('shallow ')) continue
    const match = commandPattern.exec(line!)
    if (!match) return 'malformed'
    commands.push({ before: match[1]!, after: match[2]!, ref: match[3]! })
  }
}

/** The answer that makes git print why each ref was refused. */
export function refusePush({ commands, capabilities }: PushRequest, reasonOf: (ref: string) => string): Buffer {
  const report = Buffer.concat([
    pktLine('unpack refused\n'),
    ...commands.map(({ ref }) => pktLine(`ng ${ref} ${reasonOf(ref)}\n`)),
    FLUSH,
  ])
  if (!capabilities.has('report-status') && !capabilities.has('report-status-v2')) return FLUSH
  if (!capabilities.has('side-band-64k')) return report
  return Buffer.concat([pktLine(Buffer.concat([Buffer.from([1]), report])), FLUSH])
}
