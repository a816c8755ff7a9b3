import { describe, expect, it } from 'vitest'
import { paintScreenshot } from './paintScreenshot.ts'

describe('AP851: the picture of a file', () => {
  it('has its path and its first lines in the colours of the editor', async () => {
    const svg = await paintScreenshot({ path: 'src/a.ts', text: "\n\nconst a = 'b' // why\n\tlet c = 12\n" })
    expect(svg).toContain('>src/a.ts</text>')
    const lines = [...svg.matchAll(/xml:space="preserve">(.*)<\/text>/g)].map(([, line]) => line!)
    expect(lines.map((line) => line.replace(/<[^>]*>/g, '').replaceAll('&#39;', "'"))).toEqual([
      "const a = 'b' // why",
      '  let c = 12',
      '',
    ])
    const colors = [...lines.join('').matchAll(/<tspan fill="(#\w+)">/g)].map(([, color]) => color)
    expect(new Set(colors).size).toBeGreaterThan(2)
  })

  it('is plain where the language is not known', async () => {
    expect(await paintScreenshot({ path: 'LICENSE', text: 'for it’s new' })).toContain('>for it’s new</text>')
  })

  it('says that there is no text', async () => {
    expect(await paintScreenshot(null)).toContain('>No text yet</text>')
  })

  it.each([
    '</text><script>alert(1)</script>',
    '"><image href="https://elsewhere.test/x.png"/>',
    '&lt;&#x3c;]]>',
    'a\u0000b\ud800c\u202ed\ufffe',
    `${'x'.repeat(100_000)}\n`.repeat(3),
    `${'𝒳'.repeat(50)}\n`,
    '"'.repeat(10_000),
  ])('holds whatever is in the file as text', async (text) => {
    for (const path of [text, 'a.html', 'a.js']) {
      const svg = await paintScreenshot({ path, text })
      // Every tag is one of its own, and nothing is left that XML can not hold.
      const foreign = [...svg.matchAll(/<\/?([^\s>/]+)/g)].filter(
        ([, tag]) => !/^(?:svg|rect|text|g|tspan)$/.test(tag!),
      )
      expect(foreign).toEqual([])
      expect(svg).not.toMatch(/&(?!#(?:34|38|39|60|62);)/)
      // oxlint-disable-next-line no-control-regex
      expect(svg).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202a-\u202e\ufffe\uffff]|\p{Surrogate}/u)
      expect(svg.length).toBeLessThan(40_000)
    }
  })
})
