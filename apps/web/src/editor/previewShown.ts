/** The event by which an editor page says that nothing has to be shown before the editor any more. */
export const PREVIEW_SHOWN = 'boxyard:preview-shown'

export function tellPreviewShown(): void {
  window.dispatchEvent(new Event(PREVIEW_SHOWN))
}
