/** The port that the preview stands behind. Nothing listens on it: the number is part of its address. */
export const PREVIEW_PORT = 8080
