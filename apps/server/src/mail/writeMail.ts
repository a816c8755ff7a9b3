import type { Letter } from './composeMail.ts'
import { escapeHtml } from '../http/escapeHtml.ts'

export interface WrittenMail {
  to: string[]
  subject: string
  text: string
  html: string
}

/** The letter as text and as a page. Whatever people wrote is text in both. */
export function writeMail({ to, subject, paragraphs, action }: Letter): WrittenMail {
  return {
    to,
    subject: oneLine(subject),
    text: [...paragraphs, `${action.label}: ${action.url}`].join('\n\n'),
    html: [
      '<!doctype html><meta charset="utf-8"><body style="font: 15px/1.5 sans-serif; color: #151515">',
      ...paragraphs.map((paragraph) => `<p style="white-space: pre-wrap">${escapeHtml(paragraph)}</p>`),
      `<p><a href="${escapeHtml(action.url)}">${escapeHtml(action.label)}</a></p></body>`,
    ].join('\n'),
  }
}

/** A line break in a subject would begin another header. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 200)
}
