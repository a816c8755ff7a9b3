import type { EditorColors } from '@boxyard/workbench'
import { expect, it } from 'vitest'
import { rememberColors, rememberedColors, showPalette } from './pageColors.ts'

const nord: EditorColors = {
  scheme: 'dark',
  palette: { ground: '#2e3440', panel: '#2e3440', raised: '#3b4252', text: '#d8dee9', line: null },
}

function storage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const kept = new Map<string, string>()
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  }
}

it('WB803: the colors of the editor are remembered for the next visit, until it has the page’s own again', () => {
  const kept = storage()
  expect(rememberedColors(kept)).toBeNull()
  rememberColors(kept, nord)
  expect(rememberedColors(kept)).toEqual(nord)
  rememberColors(kept, { scheme: 'light', palette: null })
  expect(rememberedColors(kept)).toEqual({ scheme: 'light', palette: null })
  rememberColors(kept, null)
  expect(rememberedColors(kept)).toBeNull()
})

it('WB803: what is no memory of colors, or closed storage, leaves the page as it is', () => {
  for (const text of ['{', '{"scheme":"blue","palette":null}', '{"scheme":"dark","palette":{"ground":1}}', '[]', '3'])
    expect(rememberedColors({ getItem: () => text })).toBeNull()
  const closed = () => {
    throw new Error('closed')
  }
  expect(rememberedColors({ getItem: closed })).toBeNull()
  expect(() => rememberColors({ setItem: closed, removeItem: closed }, nord)).not.toThrow()
})

it('WB803: the page has the colors of a theme, and then its own again', () => {
  const set = new Map<string, string>()
  const style = {
    setProperty: (name: string, value: string | null) => void set.set(name, value ?? ''),
    removeProperty: (name: string) => String(set.delete(name)),
  }
  showPalette(style, nord.palette)
  expect(set.get('--color-ground')).toBe('#2e3440')
  expect(set.get('--color-quiet')).toContain('#d8dee9')
  // Menus are on another ground than the page: a color of its own could be that of one of them.
  expect(set.get('--color-hover')).toBe('color-mix(in srgb, #d8dee9 16%, transparent)')
  showPalette(style, null)
  expect(set.size).toBe(0)
})
