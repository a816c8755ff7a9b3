/** By what is kept there a page that is made ahead tells the one that it would replace; channels between pages wait until it is shown. */
const KEY = 'boxyard.page-ahead'

/** Tells the dashboard that the page at `path`, this one, can be shown at once. */
export function tellPageIsReady(path: string): void {
  localStorage.setItem(KEY, path)
  localStorage.removeItem(KEY)
}

let ready: string | undefined
const listeners = new Set<() => void>()

/** The path of the page that the browser has ready, if it has one. */
export const pageAhead = {
  current: (): string | undefined => ready,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

function setReady(path: string | undefined): void {
  ready = path
  for (const listener of listeners) listener()
}

/**
 * Has the browser make the page at `path` while nobody looks: wholly, with a workbench that has started, and cut off from the page that the person is on. Browsers that
 * cannot do that do nothing. The answer ends it.
 */
export function makePageAhead(path: string): () => void {
  if (!('supports' in HTMLScriptElement) || !HTMLScriptElement.supports('speculationrules')) return () => {}
  const onReady = ({ key, newValue }: StorageEvent) => {
    if (key === KEY && newValue === path) setReady(path)
  }
  window.addEventListener('storage', onReady)
  const rules = document.createElement('script')
  rules.type = 'speculationrules'
  // What this page's policy takes as its own; the browser hides it from selectors alone.
  rules.nonce = document.querySelector<HTMLElement>('style[nonce]')?.nonce ?? ''
  rules.textContent = JSON.stringify({ prerender: [{ urls: [path], eagerness: 'immediate' }] })
  document.head.append(rules)
  return () => {
    rules.remove()
    window.removeEventListener('storage', onReady)
    setReady(undefined)
  }
}
