/** Browsers that make pages before anybody asks for them say so. */
type Page = Pick<Document, 'addEventListener'> & { readonly prerendering?: boolean }

/** Whether the browser makes this page out of sight, since the dashboard expects that it is asked for. */
export const isPageAhead = (page: Page = document): boolean => page.prerendering === true

/** Resolves when somebody has asked for the page: at once, on every page that is made no sooner. */
export function whenPageWanted(page: Page = document): Promise<void> {
  if (!isPageAhead(page)) return Promise.resolve()
  return new Promise((resolve) => page.addEventListener('prerenderingchange', () => resolve(), { once: true }))
}
