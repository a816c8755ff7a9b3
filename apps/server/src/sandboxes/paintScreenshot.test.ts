import { describe, expect, it } from 'vitest'
import { paintScreenshot } from './paintScreenshot.ts'

describe('AP851: the picture of a file', () => {
  it('has its path and its first lines, words of code in colours of their own', () => {
    const svg = paintScreenshot({ path: 'src/a.ts', text: "\n\nconst a = 'b' // why\n\tlet c = 12\n" })
    expect(svg).toContain('>src/a.ts</text>')
    expect(svg).toContain(
      '<tspan fill="#84b2fd">const</tspan> a = <tspan fill="#7fc581">\'b\'</tspan> <tspan fill="#8a919b">// why</tspan>',
    )
    expect(svg).toContain('>  <tspan fill="#84b2fd">let</tspan> c = <tspan fill="#e2a355">12</tspan></text>')
  })

  it('leaves the words of prose alone', () => {
    expect(paintScreenshot({ path: 'README.md', text: 'for it’s new' })).toContain('>for it’s new</text>')
  })

  it('says that there is no text', () => {
    expect(paintScreenshot(null)).toContain('>No text yet</text>')
  })

  it.each([
    '</text><script>alert(1)</script>',
    '"><image href="https://elsewhere.test/x.png"/>',
    '&lt;&#x3c;]]>',
    'a\u0000b\ud800c\u202ed\ufffe',
    `${'x'.repeat(100_000)}\n`.repeat(3),
    '"'.repeat(10_000),
  ])('holds whatever is in the file as text', (text) => {
    const svg = paintScreenshot({ path: text, text })
    // Every tag is one of its own, and nothing is left that XML can not hold.
    expect([...svg.matchAll(/<\/?([^\s>/]+)/g)].map(([, tag]) => tag)).toEqual(
      expect.not.arrayContaining([expect.not.stringMatching(/^(?:svg|rect|text|g|tspan)$/)]),
    )
    expect(svg).not.toMatch(/&(?!amp;|lt;|gt;|quot;)/)
    // oxlint-disable-next-line no-control-regex
    expect(svg).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202a-\u202e\ufffe\uffff]|\p{Surrogate}/u)
    expect(svg.length).toBeLessThan(40_000)
  })
})
