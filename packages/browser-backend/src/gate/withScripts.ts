const PLACES = [/<head(?:\s[^>]*)?>/i, /<html(?:\s[^>]*)?>/i, /^\s*<!doctype[^>]*>/i]

/** Puts scripts, written as HTML, in front of everything in a page that could run. */
export function withScripts(content: ReadableStream<Uint8Array>, scripts: string): ReadableStream<Uint8Array> {
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
        controller.enqueue(new TextEncoder().encode(scripts))
        return controller.enqueue(chunk.subarray(at))
      },
    }),
  )
}
