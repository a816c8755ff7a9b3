/** Browsers that make pages before anybody asks for them say so. */
type Page = Pick<Document, 'addEventListener'> & { readonly prerendering?: boolean }

/** Milliseconds after which what waits for a frame begins nevertheless, as in a page that went out of sight at once. */
const PATIENCE = 500

/** Whether the browser makes this page out of sight, since the dashboard expects that it is asked for. */
export const isPageAhead = (page: Page = document): boolean => page.prerendering === true

/**
 * Resolves when somebody has asked for the page and sees it: at once, on every page that is made no sooner. Whatever begins before its
 * first frame holds that up.
 */
export function whenPageWanted(
  page: Page = document,
  afterFrame: (then: () => void) => void = onNextFrame,
): Promise<void> {
  if (!isPageAhead(page)) return Promise.resolve()
  return new Promise((resolve) =>
    page.addEventListener('prerenderingchange', () => afterFrame(resolve), { once: true }),
  )
}

/** A frame is on its way until the next one begins. */
function onNextFrame(then: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(then))
  setTimeout(then, PATIENCE)
}
