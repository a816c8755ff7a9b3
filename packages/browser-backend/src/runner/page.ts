import { dataUrl } from '../compile/assets.ts'

export type Assets = Map<string, string | Uint8Array>

/** Turns this document into the page of the project. Its own module scripts are left out: the runner runs those. */
export async function showPage(html: string, assets: Assets, page: Document): Promise<void> {
  const wanted = new DOMParser().parseFromString(html, 'text/html')
  for (const script of wanted.querySelectorAll('script[type=module]')) script.remove()
  for (const element of wanted.querySelectorAll<HTMLElement>('[src], link[href]')) {
    const name = element.hasAttribute('src') ? 'src' : 'href'
    const path = localPath(element.getAttribute(name) ?? '', page.baseURI)
    const content = path === undefined ? undefined : findAsset(path, assets)
    if (path === undefined || content === undefined) continue
    if (element instanceof HTMLScriptElement) {
      element.removeAttribute('src')
      element.textContent = `${typeof content === 'string' ? content : new TextDecoder().decode(content)}\n//# sourceURL=${new URL(path, page.baseURI).href}`
    } else if (element.matches('link[rel~=stylesheet]') && typeof content === 'string') {
      const style = wanted.createElement('style')
      style.dataset['boxyardFile'] = path
      style.textContent = withAssets(content, path, assets)
      element.replaceWith(style)
    } else {
      element.setAttribute(name, dataUrl(path, content))
    }
  }
  for (const { name, value } of wanted.documentElement.attributes) page.documentElement.setAttribute(name, value)
  const kept = [...page.head.querySelectorAll('[data-boxyard]')]
  page.head.replaceChildren(...kept, ...wanted.head.childNodes)
  for (const { name, value } of wanted.body.attributes) page.body.setAttribute(name, value)
  page.body.replaceChildren(...wanted.body.childNodes)
  // A script that was parsed elsewhere does not run; a copy that is put in does, one after the other as in any page.
  for (const script of page.querySelectorAll('script:not([data-boxyard])')) await runScript(script, page)
}

async function runScript(script: Element, page: Document): Promise<void> {
  const copy = page.createElement('script')
  for (const { name, value } of script.attributes) copy.setAttribute(name, value)
  copy.textContent = script.textContent
  const ended =
    copy.src === ''
      ? undefined
      : new Promise<void>((resolve) => {
          copy.addEventListener('load', () => resolve())
          // The browser says itself what could not be loaded; the rest of the page goes on.
          copy.addEventListener('error', () => resolve())
        })
  copy.async = false
  script.replaceWith(copy)
  await ended
}

/** Style sheets that the page names by themselves take in a change without starting again. */
export function updateStyles(assets: Assets, changed: Assets, page: Document): void {
  for (const style of page.querySelectorAll<HTMLStyleElement>('style[data-boxyard-file]')) {
    const path = style.dataset['boxyardFile'] ?? ''
    const content = findAsset(path, changed)
    if (typeof content === 'string') style.textContent = withAssets(content, path, assets)
  }
}

/** A style sheet with the files that it names. */
export function withAssets(css: string, path: string, assets: Assets): string {
  return css.replace(/url\(\s*(['"]?)([^'")]+)\1\s*\)/gi, (whole, _quote: string, reference: string) => {
    if (/^(?:data:|blob:|#|[a-z]+:)/i.test(reference)) return whole
    const target = new URL(reference, `http://project${path}`).pathname
    const content = findAsset(target, assets)
    return content === undefined ? whole : `url("${dataUrl(target, content)}")`
  })
}

/** The path in the project that an address means, relative to `base`; undefined for another server. */
export function localPath(address: string, base: string): string | undefined {
  if (address === '' || !URL.canParse(address, base)) return undefined
  const url = new URL(address, base)
  if (url.origin !== new URL(base).origin) return undefined
  try {
    return decodeURI(url.pathname)
  } catch {
    // No text in any encoding, so no file of the project.
    return undefined
  }
}

export function findAsset(path: string, assets: Assets): string | Uint8Array | undefined {
  return assets.get(path) ?? assets.get(`/public${path}`)
}
