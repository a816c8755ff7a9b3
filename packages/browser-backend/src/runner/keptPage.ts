/** The cache of a preview's host: its page, the scripts of it and the packs that it runs. */
export const KEPT_PAGE = 'boxyard-preview'

/** Whether a file of the host is of a pack: there is never another one of its name. */
export const isPack = (path: string): boolean => path.startsWith('/__boxyard/packs/')

/** Whether a file of the host is one that the page needs to open. */
export const isOfPage = (path: string): boolean => /^\/__boxyard\/(?:packs\/|[a-z]+\.(?:js|wasm)$)/.test(path)
