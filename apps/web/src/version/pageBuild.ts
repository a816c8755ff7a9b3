/** The name of the build that this page is of. Undefined in development, where nothing is built. */
export function pageBuild(): string | undefined {
  const name = document.querySelector<HTMLMetaElement>('meta[name=boxyard-build]')?.content
  return import.meta.env.PROD ? name : undefined
}

/** The name of the build that the server has now. Undefined where that is not known: none answers, or nothing is built. */
export async function newestBuild(fetch: typeof globalThis.fetch = globalThis.fetch): Promise<string | undefined> {
  try {
    const answer = await fetch('/build.json', { cache: 'no-store' })
    if (!answer.ok) return undefined
    const { build } = (await answer.json()) as { build?: unknown }
    return typeof build === 'string' ? build : undefined
  } catch (error) {
    console.warn('Whether there is a new version is asked again later', error)
    return undefined
  }
}

/** The server was given another build since this page was loaded: what the page has not loaded yet is no longer there. */
export async function isPageOutdated(): Promise<boolean> {
  const own = pageBuild()
  if (own === undefined) return false
  const newest = await newestBuild()
  return newest !== undefined && newest !== own
}
