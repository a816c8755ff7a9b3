import { typeOf } from '../compile/assets.ts'
import { findAsset, localPath, withAssets } from './page.ts'
import type { Assets } from './page.ts'

/** The attributes by which elements name what they show. Links of people and frames lead to pages, which have their addresses. */
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  img: ['src', 'srcset'],
  source: ['src', 'srcset'],
  video: ['src', 'poster'],
  audio: ['src'],
  track: ['src'],
  embed: ['src'],
  input: ['src'],
  script: ['src'],
  object: ['data'],
  link: ['href'],
  image: ['href', 'xlink:href'],
  use: ['href', 'xlink:href'],
}

/** Gives files of the project addresses that a browser can load, since no server has the files. */
export class AssetAddresses {
  readonly #assets: Assets
  readonly #base: () => string
  readonly #made = new Map<string, { content: string | Uint8Array; address: string }>()

  constructor(assets: Assets, base: () => string) {
    this.#assets = assets
    this.#base = base
  }

  /** The attributes of an element that may name files. */
  attributesOf(tag: string): readonly string[] {
    return [...(Object.hasOwn(ATTRIBUTES, tag) ? ATTRIBUTES[tag]! : []), 'style']
  }

  /** What stands for the value of an attribute: itself where it names no file of the project. */
  valueOf(tag: string, attribute: string, value: string): string {
    if (!this.attributesOf(tag).includes(attribute)) return value
    if (attribute === 'style') {
      return value.replace(/url\(\s*(['"]?)([^'")]+)\1\s*\)/gi, (whole, _quote: string, address: string) =>
        `url("${this.#addressOf(address) ?? ''}")`.replace('url("")', whole),
      )
    }
    if (attribute === 'srcset') {
      return value.replace(/(^|,)(\s*)([^\s,]+)/g, (whole, before: string, space: string, address: string) => {
        const found = this.#addressOf(address)
        return found === undefined ? whole : `${before}${space}${found}`
      })
    }
    return this.#addressOf(value) ?? value
  }

  #addressOf(address: string): string | undefined {
    if (/^\s*(?:data|blob):|^\s*#/i.test(address)) return undefined
    const path = localPath(address, this.#base())
    const content = path === undefined ? undefined : findAsset(path, this.#assets)
    if (path === undefined || content === undefined) return undefined
    const known = this.#made.get(path)
    const { hash } = new URL(address, this.#base())
    if (known?.content === content) return known.address + hash
    const isStyle = path.endsWith('.css') && typeof content === 'string'
    const shown = isStyle ? withAssets(content, path, this.#assets) : content
    const made = URL.createObjectURL(new Blob([shown as BlobPart], { type: typeOf(path) }))
    this.#made.set(path, { content, address: made })
    return made + hash
  }
}
