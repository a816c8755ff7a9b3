/** Calls `take` with the files of a kind that are dropped onto what `selector` finds. What shows that something may be dropped there goes on. */
export function receiveFiles(selector: string, kind: string, take: (files: File[]) => void): void {
  document.addEventListener(
    'drop',
    (event) => {
      if (!(event.target instanceof Element) || !event.target.closest(selector)) return
      const files = [...(event.dataTransfer?.files ?? [])].filter(({ name }) => name.toLowerCase().endsWith(kind))
      if (files.length === 0) return
      // Else the browser would open the file in place of the page.
      event.preventDefault()
      take(files)
    },
    { capture: true },
  )
}
