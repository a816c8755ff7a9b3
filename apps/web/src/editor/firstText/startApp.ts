/**
 * Starts the app, on the pages where its files wait in a template: what the parser finds, it waits for, and the first text would wait with it.
 * Files are fetched when `ready` resolves. The styles apply and the app is evaluated when `shown` does.
 */
export async function startApp(page: Document, ready: Promise<void>, shown: Promise<void>): Promise<void> {
  const template = page.querySelector<HTMLTemplateElement>('template#app')
  // On every other page the parser has begun with them.
  if (!template) return
  await Promise.race([ready, shown])
  const script = template.content.querySelector('script')!
  const styles = [...template.content.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
  const link = (attributes: Partial<HTMLLinkElement>) =>
    Object.assign(page.createElement('link'), { crossOrigin: 'anonymous', ...attributes })
  const scripts = [script.src, ...hrefsOf(template, 'modulepreload')]
  page.head.append(
    ...styles.map(({ href }) => link({ rel: 'preload', as: 'style', href })),
    ...scripts.map((href) => link({ rel: 'modulepreload', href })),
  )
  await shown
  const settled = styles.map(({ href }) => {
    const sheet = link({ rel: 'stylesheet', href })
    page.head.append(sheet)
    return new Promise((resolve) => {
      sheet.addEventListener('load', resolve)
      // The app says better than an empty page that something is missing.
      sheet.addEventListener('error', resolve)
    })
  })
  await Promise.all(settled)
  page.head.append(
    Object.assign(page.createElement('script'), { type: 'module', crossOrigin: 'anonymous', src: script.src }),
  )
}

function hrefsOf(template: HTMLTemplateElement, rel: string): string[] {
  return [...template.content.querySelectorAll<HTMLLinkElement>(`link[rel=${rel}]`)].map(({ href }) => href)
}
