import { PackerError } from './errors.ts'

/** The largest metadata of real packages has some tens of megabytes. */
export const MAX_METADATA_BYTES = 64 * 1024 * 1024
/** The richest of real packages has some hundred thousand values. Each costs many times the room that it takes as text. */
const MAX_VALUES = 4_000_000

const COMMA = 0x2c
const OPEN_LIST = 0x5b
const OPEN_OBJECT = 0x7b

/**
 * The metadata of a package, which anybody may have written, as JSON. What would fill the memory of the server is refused before it is parsed.
 * @throws PackerError TOO_LARGE, or UPSTREAM for what is no JSON
 */
export function parseMetadata(name: string, body: Buffer): unknown {
  if (body.length > MAX_METADATA_BYTES) throw new PackerError('TOO_LARGE')
  let values = 0
  // Those in texts count too: it is a limit, not a census.
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index]
    if (byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT) values += 1
  }
  if (values > MAX_VALUES) throw new PackerError('TOO_LARGE')
  try {
    return JSON.parse(body.toString())
  } catch (cause) {
    throw new PackerError('UPSTREAM', `the metadata of ${name} can not be read`, { cause })
  }
}
