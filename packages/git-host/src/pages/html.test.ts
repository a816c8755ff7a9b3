import { describe, expect, it } from 'vitest'
import { html } from './html.ts'

describe('markup', () => {
  it('escapes what is not markup itself, also in attributes', () => {
    const hostile = `"><script>alert('1')</script>&`
    const { text } = html`<a title="${hostile}">${html`<b>${hostile}</b>`}</a>`
    const escaped = '&#34;&#62;&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62;&#38;'
    expect(text).toBe(`<a title="${escaped}"><b>${escaped}</b></a>`)
  })

  it('leaves nothing for null and false, and joins lists', () => {
    expect(html`<p>${null}${false}${0}${[html`<i></i>`, html`<b></b>`]}</p>`.text).toBe('<p>0<i></i><b></b></p>')
  })
})
