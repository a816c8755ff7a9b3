/**
 * VS Code gives what has a border for contrast no ground of its own in such themes: the sides of a conflict look all alike then, and what the
 * keyboard is at stands in thin lines among lines.
 */
const grounds = (chosen: string) => ({
  'merge.currentHeaderBackground': '#40c8ae59',
  'merge.currentContentBackground': '#40c8ae26',
  'merge.incomingHeaderBackground': '#40a6ff59',
  'merge.incomingContentBackground': '#40a6ff26',
  'merge.commonHeaderBackground': '#9ea7b359',
  'merge.commonContentBackground': '#9ea7b326',
  'menu.selectionBackground': chosen,
  'quickInputList.focusBackground': chosen,
})

export const highContrastGrounds = { 'hc-black': grounds('#409eff66'), 'hc-light': grounds('#0349b433') } as const

/** The theme with those of the colors that it does not set itself. */
export function withGrounds(theme: object, colors: Readonly<Record<string, string>>): object {
  const own = 'colors' in theme && typeof theme.colors === 'object' ? theme.colors : {}
  return { ...theme, colors: { ...colors, ...own } }
}
