import type { GitHostError } from '../errors.ts'
import { gitHostErrors } from '../errors.ts'
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '../password.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'

export interface FormContext {
  /** Path the git host is mounted at. */
  prefix: string
  csrf: string
  /** Where to go on afterwards, a path of the git host. */
  returnTo: string
  error: GitHostError | null
}

export function signInForm(context: FormContext, options: { hostName: string; login: string; canJoin: boolean }): Html {
  return html`<h1>Sign in to ${options.hostName}</h1>
    <p>With the user name and the password of your account on this server.</p>
    ${notice(context.error)}
    <form method="post" action="${context.prefix}/login">
      ${hidden(context)}
      ${field(context, { name: 'login', label: 'User name', value: options.login, autocomplete: 'username' })}
      ${field(context, { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
      <button type="submit">Sign in</button>
    </form>
    <footer>
      Forgot the password?
      <a href="${context.prefix}/login/link?return_to=${encodeURIComponent(context.returnTo)}">Get a link by mail</a>
    </footer>
    ${
      options.canJoin &&
      html`<footer>
        New here?
        <a href="${context.prefix}/join?return_to=${encodeURIComponent(context.returnTo)}">Create an account</a>
      </footer>`
    }`
}

export function linkForm(context: FormContext): Html {
  return html`<h1>Sign in without a password</h1>
    <p>A link is sent to the address of your account. It signs you in once.</p>
    ${notice(context.error)}
    <form method="post" action="${context.prefix}/login/link">
      ${hidden(context)} ${field(context, { name: 'email', label: 'Email', type: 'email', autocomplete: 'email' })}
      <button type="submit">Send the link</button>
    </form>
    <footer>
      <a href="${context.prefix}/login?return_to=${encodeURIComponent(context.returnTo)}">Sign in with a password</a>
    </footer>`
}

/** The same for every address, so that it does not tell who has an account. */
export function linkSentPage(): Html {
  return html`<h1>Look into your mail</h1>
    <p>
      If an account has this address, a link is on its way. It works once, within 15 minutes. Where this server sends no
      mail, its administrator can hand you the link.
    </p>`
}

export function openLinkForm(context: FormContext, options: { login: string; hostName: string; token: string }): Html {
  return html`<h1>Sign in to ${options.hostName}</h1>
    <p>This link belongs to the account <strong>${options.login}</strong>.</p>
    <form method="post" action="${context.prefix}/login/link/${options.token}">
      ${hidden(context)}
      <button type="submit">Sign in as ${options.login}</button>
    </form>`
}

export function joinForm(
  context: FormContext,
  options: { hostName: string; first: boolean; invitation: string; values: Readonly<Record<string, string>> },
): Html {
  const { values } = options
  return html`<h1>${options.first ? "Create the administrator's account" : 'Create an account'}</h1>
    <p>
      ${
        options.first
          ? `Nobody has an account on this server yet. The first one manages it and everyone who comes after.`
          : `It signs you in to ${options.hostName} on this server.`
      }
    </p>
    ${notice(context.error)}
    <form method="post" action="${context.prefix}/join">
      ${hidden(context)}
      <input type="hidden" name="invitation" value="${options.invitation}" />
      ${field(context, { name: 'login', label: 'User name', value: values['login'], autocomplete: 'username', hint: 'Letters, digits and single dashes.' })}
      ${field(context, { name: 'name', label: 'Name', value: values['name'], autocomplete: 'name', optional: true })}
      ${field(context, { name: 'email', label: 'Email', type: 'email', value: values['email'], autocomplete: 'email' })}
      ${field(context, {
        name: 'password',
        label: 'Password',
        type: 'password',
        autocomplete: 'new-password',
        hint: `At least ${SHORTEST_PASSWORD} characters.`,
        minLength: SHORTEST_PASSWORD,
        maxLength: LONGEST_PASSWORD,
      })}
      <button type="submit">Create account</button>
    </form>
    ${
      !options.first &&
      html`<footer>
        Have one already?
        <a href="${context.prefix}/login?return_to=${encodeURIComponent(context.returnTo)}">Sign in</a>
      </footer>`
    }`
}

export function authorizeForm(
  context: FormContext,
  options: { login: string; clientName: string; query: string },
): Html {
  return html`<h1>Continue to ${options.clientName}</h1>
    <p>
      You are signed in as <strong>${options.login}</strong>. ${options.clientName} learns your user name, name and
      email.
    </p>
    <form method="post" action="${context.prefix}/login/oauth/authorize?${options.query}">
      ${hidden(context)}
      <button type="submit">Continue as ${options.login}</button>
    </form>
    <form method="post" action="${context.prefix}/logout">
      ${hidden(context)}
      <button type="submit" class="quiet">Use another account</button>
    </form>`
}

export function homePage(
  context: FormContext,
  options: { login: string; administrator: boolean; hostName: string; invitation: string | null },
): Html {
  return html`<h1>${options.hostName}</h1>
    <p>
      You are signed in as
      <strong>${options.login}</strong>${options.administrator && ', an administrator of this server'}.
    </p>
    <form method="post" action="${context.prefix}/logout">
      ${hidden(context)}
      <button type="submit" class="quiet">Sign out</button>
    </form>
    ${
      options.administrator &&
      html`<h2>Invite someone</h2>
        <p>An invitation link lets one person create an account within seven days.</p>
        ${
          options.invitation !== null &&
          html`<p>Send this link. It is shown once: <br /><code>${options.invitation}</code></p>`
        }
        <form method="post" action="${context.prefix}/invitations">
          ${hidden(context)}
          <button type="submit">Create an invitation link</button>
        </form>`
    }`
}

export function errorPage(context: Pick<FormContext, 'prefix'>, error: GitHostError): Html {
  return html`<h1>${error.message}</h1>
    <p>${gitHostErrors[error.code].next}</p>
    <footer><a href="${context.prefix}/">Go to the start page</a></footer>`
}

function notice(error: GitHostError | null): Html | null {
  if (!error) return null
  return html`<div class="notice" role="alert"><strong>${error.message}</strong>${gitHostErrors[error.code].next}</div>`
}

function hidden(context: FormContext): Html {
  return html`<input type="hidden" name="csrf" value="${context.csrf}" /><input
      type="hidden"
      name="return_to"
      value="${context.returnTo}"
    />`
}

function field(
  context: FormContext,
  options: {
    name: string
    label: string
    type?: string
    value?: string | undefined
    autocomplete: string
    hint?: string
    optional?: boolean
    minLength?: number
    maxLength?: number
  },
): Html {
  const problem = context.error?.fields[options.name]
  const notes = [options.hint && `${options.name}-hint`, problem && `${options.name}-problem`].filter(Boolean).join(' ')
  return html`<label for="${options.name}">${options.label}${options.optional === true && ' (optional)'}</label>
    <input
      id="${options.name}"
      name="${options.name}"
      type="${options.type ?? 'text'}"
      value="${options.value ?? ''}"
      autocomplete="${options.autocomplete}"
      autocapitalize="none"
      spellcheck="false"
      ${options.optional !== true && html`required`}
      ${options.minLength !== undefined && html`minlength="${options.minLength}"`}
      maxlength="${options.maxLength ?? 200}"
      ${problem !== undefined && html`aria-invalid="true"`}
      ${notes !== '' && html`aria-describedby="${notes}"`}
    />
    ${options.hint !== undefined && html`<div class="hint" id="${options.name}-hint">${options.hint}</div>`}
    ${problem !== undefined && html`<div class="problem" id="${options.name}-problem">${problem}</div>`}`
}
