import { AssetAddresses } from './assetAddresses.ts'
import type { Assets } from './page.ts'

/** Properties that stand for attributes, by the class that has them. */
const PROPERTIES = {
  HTMLImageElement: ['src', 'srcset'],
  HTMLSourceElement: ['src', 'srcset'],
  HTMLMediaElement: ['src'],
  HTMLVideoElement: ['poster'],
  HTMLTrackElement: ['src'],
  HTMLEmbedElement: ['src'],
  HTMLInputElement: ['src'],
  HTMLScriptElement: ['src'],
  HTMLObjectElement: ['data'],
  HTMLLinkElement: ['href'],
} as const

/** Lets elements that scripts make show files of the project by their path, which no server has. */
export function serveElements(scope: Window & typeof globalThis, assets: Assets): void {
  const { document } = scope
  const addresses = new AssetAddresses(assets, () => document.baseURI)
  const { setAttribute, setAttributeNS } = scope.Element.prototype
  scope.Element.prototype.setAttribute = function (this: Element, name: string, value: string) {
    setAttribute.call(this, name, addresses.valueOf(this.localName, name.toLowerCase(), String(value)))
  }
  scope.Element.prototype.setAttributeNS = function (this: Element, space: string | null, name: string, value: string) {
    setAttributeNS.call(this, space, name, addresses.valueOf(this.localName, name, String(value)))
  }
  for (const [owner, names] of Object.entries(PROPERTIES)) {
    const { prototype } = scope[owner as keyof typeof PROPERTIES]
    for (const name of names) {
      const property = Object.getOwnPropertyDescriptor(prototype, name)
      if (!property?.set) continue
      const { set } = property
      Object.defineProperty(prototype, name, {
        ...property,
        set(this: Element, value: unknown) {
          set.call(this, addresses.valueOf(this.localName, name, String(value)))
        },
      })
    }
  }
  // What comes as text, is copied from a template or is styled by properties goes past all of these.
  const look = (element: Element) => {
    for (const name of addresses.attributesOf(element.localName)) {
      const value = element.getAttribute(name)
      const wanted = value === null ? null : addresses.valueOf(element.localName, name, value)
      if (wanted !== null && wanted !== value) setAttribute.call(element, name, wanted)
    }
  }
  new scope.MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === 'attributes') look(target as Element)
      for (const node of addedNodes) {
        if (node.nodeType !== 1) continue
        look(node as Element)
        for (const inner of (node as Element).querySelectorAll(
          '[src],[srcset],[poster],[data],link[href],image,use,[style]',
        ))
          look(inner)
      }
    }
  }).observe(document, {
    subtree: true,
    childList: true,
    attributeFilter: ['src', 'srcset', 'poster', 'data', 'href', 'style'],
  })
}
