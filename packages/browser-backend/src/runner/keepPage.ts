import { isOfPage, KEPT_PAGE } from './keptPage.ts'

const WORKER = '/__boxyard/keep.js'

/** Has the browser keep this page for when no server answers. What it has fetched so far is kept by the page itself, the rest by a worker. */
export function keepPage(page: Window): void {
  const { serviceWorker } = page.navigator
  // Only pages of safe origins have one.
  if (!serviceWorker || !('caches' in page)) return
  const work = async () => {
    const known = await serviceWorker.getRegistration('/')
    const script = (known?.active ?? known?.waiting ?? known?.installing)?.scriptURL
    // On this port a server of the project answers.
    if (script !== undefined && new URL(script).pathname !== WORKER) return
    await serviceWorker.register(WORKER, { scope: '/' })
    const cache = await page.caches.open(KEPT_PAGE)
    const fetched = page.performance.getEntriesByType('resource').map(({ name }) => new URL(name))
    const own = fetched.filter(({ origin, pathname }) => origin === page.location.origin && isOfPage(pathname))
    for (const address of new Set(['/', ...own.map(({ pathname }) => pathname)])) {
      if (await cache.match(address)) continue
      const answer = await page.fetch(address, { headers: { accept: 'text/html, */*' } })
      if (answer.ok) await cache.put(address, answer)
    }
  }
  work().catch((error: unknown) => console.warn('The preview is not kept for when no server answers', error))
}
