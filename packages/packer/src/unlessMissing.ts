/** For what nothing may be at: whoever asks for it gets undefined. Below a file there is nothing either. */
export function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
}
