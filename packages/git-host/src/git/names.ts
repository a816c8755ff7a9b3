/** GitHub's rule for the names of repositories. A name that git or a file system takes for something else is none. */
const repositoryPattern = /^[A-Za-z0-9._-]{1,100}$/

export function isRepositoryName(name: string): boolean {
  return (
    repositoryPattern.test(name) && !/^\.{1,2}$/.test(name) && !/\.(?:git|wiki)$/i.test(name) && !name.startsWith('-')
  )
}

const LONGEST_BRANCH = 240
// eslint-disable-next-line no-control-regex -- control characters are what is refused
const forbiddenInRef = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|^\/|\/$|\.$|^@$/

/** What `git check-ref-format --branch` allows, without a leading dash, which programs take for an option. */
export function isBranchName(name: string): boolean {
  if (name === '' || name.length > LONGEST_BRANCH || name.startsWith('-') || name === 'HEAD') return false
  if (forbiddenInRef.test(name) || /^[0-9a-f]{40}$/.test(name)) return false
  return name.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'))
}

/** A full ref of a branch or a tag: what people may push. */
export function isPushableRef(ref: string): boolean {
  const name = /^refs\/(?:heads|tags)\/(.+)$/s.exec(ref)?.[1]
  return name !== undefined && isBranchName(name)
}

export function isCommitId(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text)
}

/** A path inside a tree, as git writes it: relative, without empty, `.` or `..` parts. */
export function isTreePath(path: string): boolean {
  if (path === '' || path.length > 4096 || path.includes('\0')) return false
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && part.toLowerCase() !== '.git')
}
