/** The style sheet of a package that an import in a style sheet means; Tailwind CSS has names without their ending. */
export function stylePart(specifier: string): string {
  if (specifier === 'tailwindcss') return 'tailwindcss/index.css'
  return /^tailwindcss\/(?:theme|preflight|utilities|index)$/.test(specifier) ? `${specifier}.css` : specifier
}
