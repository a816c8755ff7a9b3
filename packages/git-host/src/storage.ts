export interface GitAccount {
  /** A positive integer, as in GitHub's API. */
  id: number
  login: string
  name: string | null
  email: string
  administrator: boolean
  /** Whether somebody came with a link that was sent to the address. */
  emailVerified: boolean
  insertedAt: Date
}

export interface NewAccount {
  login: string
  name: string | null
  email: string
  passwordHash: string
}

export interface AuthorizationCode {
  codeHash: string
  accountId: number
  clientId: string
  redirectUri: string
  scopes: string[]
  /** S256 challenge of PKCE, or null when the client sent none. */
  codeChallenge: string | null
  expiresAt: Date
}

/**
 * Where the git host keeps its accounts. Secrets come in as SHA-256 hex and never leave as anything else. What is past its
 * `expiresAt` is not found.
 */
export interface GitHostStorage {
  hasAccounts(): Promise<boolean>
  /**
   * Creates an account; the very first one is the administrator's and needs no admission. `admission` is "open", or the hash of an
   * invitation, which is used up. Of simultaneous first accounts exactly one becomes the administrator's.
   */
  createAccount(
    account: NewAccount,
    admission: 'open' | { invitationHash: string | null },
  ): Promise<GitAccount | 'LOGIN_TAKEN' | 'NOT_ADMITTED'>
  /** Ignores case. */
  findCredentials(login: string): Promise<{ account: GitAccount; passwordHash: string } | null>

  /** The account with this address, ignoring case. Null also when several have it: then it says nothing about whose it is. */
  findAccountByEmail(email: string): Promise<GitAccount | null>
  /** Keeps the link and hands over the mail that brings it, both or neither. */
  addSignInLink(
    link: { tokenHash: string; accountId: number; expiresAt: Date },
    mail: { email: string; login: string; url: string },
  ): Promise<void>
  findSignInLink(tokenHash: string): Promise<GitAccount | null>
  /** Removes it, so that it works once, and notes that the address is its account's. */
  takeSignInLink(tokenHash: string): Promise<GitAccount | null>

  addSession(session: { tokenHash: string; accountId: number; expiresAt: Date }): Promise<void>
  findSession(tokenHash: string): Promise<{ account: GitAccount; insertedAt: Date } | null>
  removeSession(tokenHash: string): Promise<void>

  addCode(code: AuthorizationCode): Promise<void>
  /** Removes and returns it, so that it works once. */
  takeCode(codeHash: string): Promise<AuthorizationCode | null>

  addToken(token: { tokenHash: string; accountId: number; clientId: string; scopes: string[] }): Promise<void>
  findToken(tokenHash: string): Promise<{ account: GitAccount; scopes: string[] } | null>

  addInvitation(invitation: { codeHash: string; createdBy: number; expiresAt: Date }): Promise<void>
  hasInvitation(codeHash: string): Promise<boolean>

  /** Counts one more attempt under `key` and returns how many there were in the window that is open. */
  countAttempt(key: string, windowMs: number): Promise<number>
  clearAttempts(key: string): Promise<void>
  /** Takes back one attempt, because it was no failure. */
  forgiveAttempt(key: string): Promise<void>
}
