/** What the three levels of privacy are called; the number is the index. */
export const privacyNames: readonly string[] = ['Public', 'Unlisted', 'Private']

/** Who sees a sandbox of each level. */
export const privacyMeanings: readonly string[] = [
  'Everyone can find and open it.',
  'Everyone who has the link can open it.',
  'Only people of the workspace and those you invite can open it.',
]
