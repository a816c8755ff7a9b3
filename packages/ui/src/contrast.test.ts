import { describe, expect, it } from 'vitest'
import { contrast } from './contrast.ts'
import { groundNames, palettes, textNames, themeNames } from './common/tokens.ts'

describe('contrast', () => {
  it('knows the extremes', () => {
    expect(contrast('#000000', '#FFFFFF')).toBeCloseTo(21, 5)
    expect(contrast('#777777', '#777777')).toBe(1)
  })

  it('refuses what is not a color', () => {
    expect(() => contrast('red', '#FFFFFF')).toThrow(TypeError)
  })
})

describe.each(themeNames)('the %s palette meets WCAG AA', (theme) => {
  const palette = palettes[theme]
  const pairs = textNames.flatMap((text) => groundNames.map((ground) => [text, ground] as const))

  it.each(pairs)('%s on %s', (text, ground) => {
    expect(contrast(palette[text], palette[ground])).toBeGreaterThanOrEqual(4.5)
  })

  it('on the primary action', () => {
    expect(contrast(palette['on-accent'], palette.accent)).toBeGreaterThanOrEqual(4.5)
  })

  it.each(palette.people)('person %s on every ground', (person) => {
    for (const ground of groundNames) expect(contrast(person, palette[ground])).toBeGreaterThanOrEqual(4.5)
  })
})
