import { expect, it } from 'vitest'
import { AssetAddresses } from './assetAddresses.ts'
import { serveElements } from './serveElements.ts'

const BASE = 'https://abc-8080.preview.test/deep/'
const assets = () =>
  new Map<string, string | Uint8Array>([
    ['/public/logo.svg', '<svg/>'],
    ['/src/a.png', new Uint8Array([1])],
  ])
const textAt = async (address: string) => (await fetch(address)).text()

it('BB974: names of files become addresses that can be loaded, the same one each time', async () => {
  const addresses = new AssetAddresses(assets(), () => BASE)
  const logo = addresses.valueOf('img', 'src', '/logo.svg')
  expect(logo).toMatch(/^blob:/)
  expect(await textAt(logo)).toBe('<svg/>')
  expect(addresses.valueOf('use', 'href', `${new URL(BASE).origin}/logo.svg#part`)).toBe(`${logo}#part`)
  expect(addresses.valueOf('img', 'srcset', '/logo.svg 1x, /gone.png 2x')).toBe(`${logo} 1x, /gone.png 2x`)
  expect(addresses.valueOf('p', 'style', 'color: red; background: url("/logo.svg")')).toBe(
    `color: red; background: url("${logo}")`,
  )
})

it('BB974: a file that changed has another address', async () => {
  const files = assets()
  const addresses = new AssetAddresses(files, () => BASE)
  const before = addresses.valueOf('img', 'src', '/logo.svg')
  files.set('/public/logo.svg', '<svg>2</svg>')
  const after = addresses.valueOf('img', 'src', '/logo.svg')
  expect([before === after, await textAt(after)]).toEqual([false, '<svg>2</svg>'])
})

it.each([
  ['a', 'href', '/logo.svg'],
  ['iframe', 'src', '/logo.svg'],
  ['img', 'alt', '/logo.svg'],
  ['img', 'src', 'https://example.com/logo.svg'],
  ['img', 'src', 'data:image/png;base64,AA=='],
  ['img', 'src', '/gone.svg'],
  ['img', 'src', ''],
  ['img', 'src', '/%E0%A4%A.svg'],
  ['constructor', 'src', '/logo.svg'],
])('BB974: everything else stays as it is: %s %s %s', (tag, attribute, value) => {
  expect(new AssetAddresses(assets(), () => BASE).valueOf(tag, attribute, value)).toBe(value)
})

it('BB974: elements get them by property, by attribute, and when they come as text', () => {
  class Element {
    readonly nodeType = 1
    readonly attributes = new Map<string, string>()
    readonly localName = 'img'
    setAttribute(name: string, value: string) {
      this.attributes.set(name, value)
    }
    setAttributeNS(_space: string | null, name: string, value: string) {
      this.attributes.set(name, value)
    }
    getAttribute(name: string) {
      return this.attributes.get(name) ?? null
    }
    querySelectorAll() {
      return []
    }
  }
  class HTMLImageElement extends Element {
    get src() {
      return this.getAttribute('src') ?? ''
    }
    set src(value: string) {
      this.attributes.set('src', value)
    }
  }
  class Plain extends Element {}
  let changed: (changes: unknown[]) => void = () => undefined
  const others = ['Source', 'Media', 'Video', 'Track', 'Embed', 'Input', 'Script', 'Object', 'Link']
  const scope = {
    document: { baseURI: BASE },
    Element,
    ...Object.fromEntries(others.map((name) => [`HTML${name}Element`, Plain])),
    HTMLImageElement,
    MutationObserver: class {
      constructor(told: (changes: unknown[]) => void) {
        changed = told
      }
      observe() {}
    },
  }
  serveElements(scope as never, assets())
  const byProperty = new HTMLImageElement()
  byProperty.src = '/logo.svg'
  const byAttribute = new HTMLImageElement()
  byAttribute.setAttribute('SRC', '/logo.svg')
  const asText = new HTMLImageElement()
  asText.attributes.set('src', '/logo.svg')
  changed([{ type: 'childList', target: asText, addedNodes: [asText, { nodeType: 3 }] }])
  const shown = [byProperty.src, byAttribute.getAttribute('SRC'), asText.src]
  expect(shown[0]).toMatch(/^blob:/)
  expect(new Set(shown).size).toBe(1)
})
