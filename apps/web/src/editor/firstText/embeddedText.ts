import type { FirstTextContent } from './FirstTextView.ts'

/** The answer of the API about the first text of a box, null when there is none. */
export type FirstTextAnswer =
  (Pick<FirstTextContent, 'path' | 'colors' | 'lines'> & { text: string; can_write: boolean }) | null

export interface FirstTextQuestion {
  id: string
  path: string
  scheme: string
}

/**
 * The answer that the server has put into the page, so that nothing is asked for. Undefined when it put none there, or one to another
 * question: the server goes by the address and by the last visit, and does not know what the tab has kept.
 */
export function embeddedText(page: Document, asked: FirstTextQuestion): { answer: FirstTextAnswer } | undefined {
  const element = page.querySelector('script#first-text')
  if (!element?.textContent) return undefined
  const { id, path, scheme, answer } = JSON.parse(element.textContent) as FirstTextQuestion & {
    answer: FirstTextAnswer
  }
  const isAsked = id === asked.id && path === asked.path && scheme === asked.scheme
  return isAsked ? { answer } : undefined
}
