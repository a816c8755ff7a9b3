import { expect, it } from 'vitest'
import { moreThemes } from '../moreThemes.ts'
import { highContrastGrounds, withGrounds } from './highContrastGrounds.ts'

it('WB1079: themes of high contrast give each side of a conflict a ground, and what the keyboard is at', async () => {
  const themes = moreThemes.filter(({ kind }) => kind.startsWith('hc-'))
  expect(themes.map(({ name }) => name)).toEqual(['GitHub Light High Contrast', 'GitHub Dark High Contrast'])
  for (const theme of themes) {
    const { colors } = (await theme.load()) as { colors: Record<string, string> }
    const sides = ['current', 'incoming', 'common'].map((side) => colors[`merge.${side}ContentBackground`])
    expect(new Set(sides).size).toBe(3)
    expect(sides).not.toContain(undefined)
    expect(colors).toHaveProperty(['menu.selectionBackground'])
    expect(colors).toHaveProperty(['quickInputList.focusBackground'])
  }
})

it('WB1079: what a theme says itself counts', () => {
  const theme = { colors: { 'menu.selectionBackground': '#123456' } }
  expect(withGrounds(theme, highContrastGrounds['hc-black'])).toMatchObject(theme)
})
