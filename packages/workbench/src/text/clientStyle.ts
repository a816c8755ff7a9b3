import type { Client } from '@boxyard/protocol'

/** The class names of one client's marks in the editor. */
export interface ClientClasses {
  selection: string
  cursor: string
}

/** Class names are made from the id alone, which may hold any characters. */
export function clientClasses(clientId: string): ClientClasses {
  const name = [...clientId].map((character) =>
    /[A-Za-z0-9]/.test(character) ? character : `-${character.codePointAt(0)}-`,
  )
  return { selection: `boxyard-selection-${name.join('')}`, cursor: `boxyard-cursor-${name.join('')}` }
}

/** The style rules of one client: its color and, beside its caret, its name. Names and colors come from other people. */
export function clientRules(client: Pick<Client, 'clientId' | 'name' | 'color'>): string {
  const { selection, cursor } = clientClasses(client.clientId)
  const color = /^#[0-9a-f]{6}$/i.test(client.color) ? client.color : '#A7ADB6'
  return `
.${selection} { background-color: ${color}40; }
.${cursor} { border-left: 2px solid ${color}; }
.${cursor}::after { content: ${cssString(client.name)} / ""; background-color: ${color}; color: ${readableOn(color)}; }`
}

/** What all clients' marks have in common. */
export const SHARED_RULES = `
[class*='boxyard-cursor-'] { position: absolute; box-sizing: border-box; height: 100%; z-index: 1; pointer-events: none; }
[class*='boxyard-cursor-']::after {
  position: absolute; bottom: 100%; left: -2px; padding: 0 4px; border-radius: 4px 4px 4px 0;
  font: 500 12px/16px 'Inter Variable', system-ui, sans-serif; white-space: nowrap;
  animation: boxyard-name 4s forwards;
}
.view-line:first-child [class*='boxyard-cursor-']::after { bottom: auto; top: 100%; border-radius: 0 4px 4px 4px; }
@keyframes boxyard-name { 0%, 90% { opacity: 1; } 100% { opacity: 0; } }
@media (prefers-reduced-motion: reduce) { [class*='boxyard-cursor-']::after { animation: none; } }`

/** A CSS string with every character that is not plain escaped. */
function cssString(text: string): string {
  const escaped = Array.from(text.slice(0, 60), (character) =>
    /[\p{L}\p{N} ]/u.test(character) ? character : `\\${(character.codePointAt(0) ?? 0).toString(16)} `,
  )
  return `"${escaped.join('')}"`
}

/** Dark or white, whichever has the greater contrast by WCAG. */
function readableOn(color: string): string {
  const [dark, white] = ['#17191C', '#FFFFFF'] as const
  const ground = luminance(color)
  return (ground + 0.05) / (luminance(dark) + 0.05) > 1.05 / (ground + 0.05) ? dark : white
}

/** The relative luminance of a `#rrggbb`. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
