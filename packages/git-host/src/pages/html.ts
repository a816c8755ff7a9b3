/** Markup that is safe to send. Only `html` makes it. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Piece = string | number | Html | null | false | readonly Html[]

/** Escapes every value that is not markup itself; null and false leave nothing. */
export function html(strings: TemplateStringsArray, ...values: Piece[]): Html {
  return new Html(strings.map((text, index) => text + (index < values.length ? render(values[index]!) : '')).join(''))
}

function render(value: Piece): string {
  if (value === null || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map((part) => part.text).join('')
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
