// Made of JetBrains Mono 2.242 (© 2020 The JetBrains Mono Project Authors, SIL Open Font License 1.1): its arrow, for U+2192 and U+FFEB.
import arrow from './jetbrains-mono-arrow.woff2?inline'

/**
 * Gives the font of the editor the arrow that its subset for Latin lacks. VS Code measures it, among others, to find out whether all letters have one width; with the arrow of
 * another font they have not, and every place in a line is looked up in the layout of the page.
 */
export async function loadArrow(): Promise<void> {
  const font = new FontFace('JetBrains Mono Variable', `url(${arrow})`, {
    weight: '100 800',
    unicodeRange: 'U+2192, U+FFEB',
  })
  document.fonts.add(font)
  await font.load()
}
