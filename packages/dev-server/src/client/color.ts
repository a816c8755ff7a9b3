import { ANONYMOUS_USERNAME, type Client } from '@boxyard/protocol'

/** Of everybody without an account. */
const VISITOR_COLOR = '#FF0000'
/** Colors of clients share one lightness and chroma, so that none looks more important than another. */
const LIGHTNESS = 0.72
const CHROMA = 0.12
const HUES = 24

/** The color of a client: its own hue where it is free, else the next free one. `taken` are colors of other clients. */
export function clientColor(
  { clientId, username }: Pick<Client, 'clientId' | 'username'>,
  taken: ReadonlySet<string>,
): string {
  if (username === ANONYMOUS_USERNAME) return VISITOR_COLOR
  let hash = 0
  for (const character of clientId) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) >>> 0
  const preferred = hash % HUES
  for (let offset = 0; offset < HUES; offset += 1) {
    // Steps of seven reach every one of the 24 hues, and neighbors in time are far apart on the wheel.
    const color = hueColor((preferred + offset * 7) % HUES)
    if (!taken.has(color)) return color
  }
  return hueColor(preferred)
}

/** OKLCH to sRGB, as hexadecimal text that every client can parse. */
function hueColor(index: number): string {
  const angle = (index / HUES) * 2 * Math.PI
  const a = CHROMA * Math.cos(angle)
  const b = CHROMA * Math.sin(angle)
  const l = (LIGHTNESS + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (LIGHTNESS - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (LIGHTNESS - 0.0894841775 * a - 1.291485548 * b) ** 3
  const channels = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
  return `#${channels.map(channelHex).join('')}`
}

function channelHex(linear: number): string {
  const clamped = Math.min(1, Math.max(0, linear))
  const encoded = clamped <= 0.0031308 ? 12.92 * clamped : 1.055 * clamped ** (1 / 2.4) - 0.055
  return Math.round(encoded * 255)
    .toString(16)
    .padStart(2, '0')
}
