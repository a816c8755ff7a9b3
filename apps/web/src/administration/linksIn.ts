export interface TextPiece {
  text: string
  /** Where it leads; absent for plain text. */
  url?: string
}

/** Cuts a text into plain pieces and the addresses of pages in it. */
export function linksIn(text: string): TextPiece[] {
  return text.split(/(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)])/).flatMap((piece, index): TextPiece[] => {
    if (piece === '') return []
    // Every second piece is what the expression caught.
    return [index % 2 === 1 ? { text: piece, url: piece } : { text: piece }]
  })
}
