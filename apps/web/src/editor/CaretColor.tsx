/** The color that somebody's caret has in the texts. */
export function CaretColor({ color, className }: { color: string | undefined; className: string }) {
  return <span aria-hidden="true" className={`absolute rounded-full ${className}`} style={{ backgroundColor: color }} />
}
