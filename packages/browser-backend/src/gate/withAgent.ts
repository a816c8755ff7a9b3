const AGENT = '/__boxyard/agent.js'
const PLACES = [/<head(?:\s[^>]*)?>/i, /<html(?:\s[^>]*)?>/i, /^\s*<!doctype[^>]*>/i]

/** Puts the script that talks to the pane of the preview in front of everything in a page that could run. */
export function withAgent(content: ReadableStream<Uint8Array>, appOrigin: string): ReadableStream<Uint8Array> {
  const script = `<script src="${AGENT}" data-app-origin="${appOrigin}"></script>`
  let isFirst = true
  return content.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (!isFirst) return controller.enqueue(chunk)
        isFirst = false
        // One character a byte, so that places in the text are places in the bytes, whatever they are encoded in.
        const text = new TextDecoder('latin1').decode(chunk)
        const found = PLACES.map((place) => place.exec(text)).find((match) => match !== null)
        const at = found ? found.index + found[0].length : 0
        controller.enqueue(chunk.subarray(0, at))
        controller.enqueue(new TextEncoder().encode(script))
        return controller.enqueue(chunk.subarray(at))
      },
    }),
  )
}
