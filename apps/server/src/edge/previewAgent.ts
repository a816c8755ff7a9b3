import { Transform } from 'node:stream'
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'

/** The script by which a page in the editor's frame says where it is and what its console says. */
export const AGENT_PATH = '/.well-known/boxyard/agent.js'

/** Bytes that are looked through for the place of the script. */
const MOST_HELD = 16_384

/** Whether a page is asked for that the editor, and nothing else of this site, will show in a frame. */
export function asksForFramedPage(method: string | undefined, headers: IncomingHttpHeaders): boolean {
  return method === 'GET' && headers['sec-fetch-dest'] === 'iframe' && (headers.accept ?? '').includes('text/html')
}

/** What a program is asked, so that it answers with a whole page in plain bytes. */
export function askForPlainPage(headers: OutgoingHttpHeaders): void {
  for (const name of ['accept-encoding', 'if-none-match', 'if-modified-since', 'range']) delete headers[name]
}

export function isPlainPage(headers: IncomingHttpHeaders): boolean {
  return (
    /^text\/html\b/i.test(headers['content-type'] ?? '') &&
    (headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity'
  )
}

/** The headers of a page that gets the script: another length, and another page than the one of a tab of its own. */
export function headersWithAgent(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const out: OutgoingHttpHeaders = { ...headers }
  delete out['content-length']
  delete out['etag']
  const vary = out['vary']
  out['vary'] = [...(vary === undefined ? [] : [String(vary)]), 'Sec-Fetch-Dest'].join(', ')
  return out
}

/** Puts the script in front of everything in the page that could run. Bytes stay as they are, whatever they are encoded in. */
export function agentInserter(appOrigin: string): Transform {
  const script = Buffer.from(`<script src="${AGENT_PATH}" data-app-origin="${appOrigin}"></script>`)
  let held: Buffer | undefined = Buffer.alloc(0)
  const insert = (bytes: Buffer): Buffer => {
    const at = placeIn(bytes.toString('latin1'))
    return Buffer.concat([bytes.subarray(0, at), script, bytes.subarray(at)])
  }
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (!held) return done(null, chunk)
      held = Buffer.concat([held, chunk])
      if (held.length < MOST_HELD && !isDecided(held.toString('latin1'))) return done()
      const whole = insert(held)
      held = undefined
      return done(null, whole)
    },
    flush(done) {
      if (!held || held.length === 0) return done()
      return done(null, insert(held))
    },
  })
}

const HEAD = /<head(?:\s[^>]*)?>/i
const FIRST = /<(?:script|body|link|style|base)\b/i

function isDecided(html: string): boolean {
  return HEAD.test(html) || FIRST.test(html)
}

/** Behind the opening of the head, else of the document, else behind its type: in front of that the page would be read by old rules. */
function placeIn(html: string): number {
  for (const pattern of [HEAD, /<html(?:\s[^>]*)?>/i, /^\s*<!doctype[^>]*>/i]) {
    const found = pattern.exec(html)
    // A head that stands in a script is not the page's own.
    if (found && found.index <= (FIRST.exec(html)?.index ?? found.index)) return found.index + found[0].length
  }
  return 0
}
