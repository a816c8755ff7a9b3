/** Who made a commit and when, as git keeps it. */
export interface Signature {
  name: string
  email: string
  date: Date
}

export interface Commit {
  sha: string
  tree: string
  parents: string[]
  author: Signature
  committer: Signature
  message: string
}

/** One record a commit: fields end with a unit separator, records with a null byte. */
export const COMMIT_FORMAT = ['%H', '%T', '%P', '%an', '%ae', '%at', '%cn', '%ce', '%ct', '%B'].join('%x1f') + '%x00'

export function parseCommits(output: string): Commit[] {
  return output
    .split('\0')
    .map((record) => record.replace(/^\n/, ''))
    .filter((record) => record !== '')
    .map((record) => {
      const [sha, tree, parents, an, ae, at, cn, ce, ct, ...message] = record.split('\u001f')
      return {
        sha: sha!,
        tree: tree!,
        parents: parents === '' ? [] : parents!.split(' '),
        author: { name: an!, email: ae!, date: new Date(Number(at) * 1000) },
        committer: { name: cn!, email: ce!, date: new Date(Number(ct) * 1000) },
        message: message.join('\u001f').replace(/\n+$/, ''),
      }
    })
}

/** The environment that makes git write these people into a commit. Characters that end a header are left out. */
export function signatureEnvironment(author: Signature, committer: Signature): Record<string, string> {
  const plain = (text: string) => text.replace(/[<>\n\0]/g, '').trim() || 'unknown'
  const moment = (date: Date) => `${Math.floor(date.getTime() / 1000)} +0000`
  return {
    GIT_AUTHOR_NAME: plain(author.name),
    GIT_AUTHOR_EMAIL: plain(author.email),
    GIT_AUTHOR_DATE: moment(author.date),
    GIT_COMMITTER_NAME: plain(committer.name),
    GIT_COMMITTER_EMAIL: plain(committer.email),
    GIT_COMMITTER_DATE: moment(committer.date),
  }
}
