import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'
import { readSignInSettings, signInEnvironment } from './accounts/signInSettings.ts'
import type { SignInSettings } from './accounts/signInSettings.ts'
import { paymentEnvironment, readPaymentSettings } from './billing/paymentSettings.ts'
import type { PaymentSettings } from './billing/paymentSettings.ts'
import { integrationEnvironment, readVercelSettings } from './integrations/integrationSettings.ts'
import type { VercelSettings } from './integrations/integrationSettings.ts'
import { httpUrl, settingDocumentation } from './settingDocumentation.ts'
import { settingsTogether } from './settingsTogether.ts'

export { settingDocumentation } from './settingDocumentation.ts'

const baseHost = /^(?:https?:\/\/)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/

/** Every setting of the server. Values come from the environment and nowhere else. */
export const environmentSchema = z.object({
  PORT: z.coerce.number().int().min(1).max(65_535).default(4100).register(settingDocumentation, {
    description: 'The TCP port the server listens on.',
    expected: 'a number from 1 to 65535',
    fallback: '4100',
  }),
  HOST: z.union([z.ipv4(), z.ipv6()]).default('127.0.0.1').register(settingDocumentation, {
    description: 'The address the server listens on. In a container it is 0.0.0.0.',
    expected: 'an IP address',
    fallback: '127.0.0.1',
  }),
  BOXYARD_BASE: z.string().regex(baseHost).optional().register(settingDocumentation, {
    description:
      'The host name everything is served under: the app on `app.BASE`, previews on `{id}-{port}.preview.BASE`. Start it with `https://` when a proxy in front serves TLS.',
    expected: 'a host name in lower case, with a port unless it is the usual one',
    fallback: 'boxyard.localhost:PORT',
  }),
  BOXYARD_HOME: z.string().min(1).optional().register(settingDocumentation, {
    description: 'The folder that holds all data: database, disks of boxes, packages, keys.',
    expected: 'the path of a folder',
    fallback: '~/.boxyard',
  }),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .register(settingDocumentation, {
      description: 'An external PostgreSQL, 15 or newer. Without it the server runs one of its own.',
      expected: 'an address that starts with postgres://',
      fallback: 'a PostgreSQL of its own under BOXYARD_HOME',
      secret: true,
    }),
  BOXYARD_ADMIN_TOKEN: z.string().min(16).optional().register(settingDocumentation, {
    description: "A bearer token that acts as the first administrator, for scripts and for the SDK's first use.",
    expected: 'at least 16 characters',
    fallback: 'off',
    secret: true,
  }),
  BOXYARD_DRIVER: z.enum(['auto', 'bwrap', 'vm', 'process']).default('auto').register(settingDocumentation, {
    description:
      'How boxes run. `auto` takes the best one that works and isolates; `vm` makes each a virtual machine by QEMU, which needs KVM to be fast; `process` does not isolate and is only used when it is named here.',
    expected: 'auto, bwrap, vm or process',
    fallback: 'auto',
  }),
  BOXYARD_NPM_REGISTRY: httpUrl.optional().register(settingDocumentation, {
    description: 'The npm registry that boxes install from, through the proxy of the server.',
    expected: 'an http or https address',
    fallback: 'what `npm config get registry` says on this machine',
  }),
  BOXYARD_PIP_INDEX: httpUrl.optional().register(settingDocumentation, {
    description: 'The Python package index that boxes install from, through the proxy of the server.',
    expected: 'an http or https address',
    fallback: 'what `pip config get global.index-url` says on this machine, else off',
  }),
  BOXYARD_EXTENSION_REGISTRY: httpUrl.default('https://open-vsx.org').register(settingDocumentation, {
    description:
      'The registry that extensions of the editor come from, with the interface of Open VSX. The server asks it for everybody; browsers never do.',
    expected: 'an http or https address',
    fallback: 'https://open-vsx.org',
  }),
  BOXYARD_SIGN_UP: z.enum(['open', 'invitation']).default('open').register(settingDocumentation, {
    description:
      'Who may create an account on the local git host after the administrator: anyone who reaches it, or people with an invitation.',
    expected: 'open or invitation',
    fallback: 'open',
  }),
  GITHUB_CLIENT_ID: z.string().min(1).optional().register(settingDocumentation, {
    description:
      'The id of an OAuth app at GitHub. With it people sign in at GitHub, without it at the local git host.',
    expected: 'the client id of an OAuth app',
    fallback: 'the local git host',
  }),
  GITHUB_CLIENT_SECRET: z.string().min(1).optional().register(settingDocumentation, {
    description: 'The secret of that OAuth app.',
    expected: 'the client secret of an OAuth app',
    fallback: 'needed with GITHUB_CLIENT_ID',
    secret: true,
  }),
  GITHUB_URL: httpUrl.default('https://github.com').register(settingDocumentation, {
    description: 'The web address of GitHub or of a GitHub Enterprise Server. Used with GITHUB_CLIENT_ID.',
    expected: 'an http or https address',
    fallback: 'https://github.com',
  }),
  GITHUB_API_URL: httpUrl.optional().register(settingDocumentation, {
    description: 'The address of its REST API.',
    expected: 'an http or https address',
    fallback: 'https://api.github.com, or GITHUB_URL with /api/v3 for an Enterprise Server',
  }),
  ...signInEnvironment,
  ...integrationEnvironment,
  ...paymentEnvironment,
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .register(settingDocumentation, {
      description:
        'The server that mails are sent through. Without it administrators read them on the page /admin/mails.',
      expected: 'an address that starts with smtp:// or smtps://, with user and password when the server asks for them',
      fallback: 'mails are kept and shown to administrators',
      secret: true,
    }),
  MAIL_FROM: z.email().optional().register(settingDocumentation, {
    description: 'The address that mails come from.',
    expected: 'an e-mail address',
    fallback: 'boxyard@ and the host name of BOXYARD_BASE',
  }),
  NODE_ENV: z.enum(['production', 'development', 'test']).default('production').register(settingDocumentation, {
    description:
      'What kind of run this is, as the libraries of Node read it. In development anyone can sign in as anyone, without a password.',
    expected: 'production, development or test',
    fallback: 'production',
  }),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .register(settingDocumentation, {
      description: 'The least serious messages that are logged.',
      expected: 'fatal, error, warn, info, debug, trace or silent',
      fallback: 'info',
    }),
})

export type SettingName = keyof typeof environmentSchema.shape

export interface GitHubSettings {
  clientId: string
  clientSecret: string
  /** Web address without a trailing slash. */
  url: string
  apiUrl: string
}

export interface Configuration {
  port: number
  host: string
  /** Host name with port, without a scheme: `boxyard.localhost:4100`. */
  base: string
  protocol: 'http' | 'https'
  /** `http://app.boxyard.localhost:4100`: the only origin the app is served from. */
  appOrigin: string
  /** Absolute path. */
  home: string
  databaseUrl: string | undefined
  adminToken: string | undefined
  driver: 'auto' | 'bwrap' | 'vm' | 'process'
  npmRegistry: string | undefined
  pipIndex: string | undefined
  /** Without a trailing slash. */
  extensionRegistry: string
  signUp: 'open' | 'invitation'
  /** Undefined: people sign in at the local git host. */
  github: GitHubSettings | undefined
  signIn: SignInSettings
  /** Undefined: nobody can connect an account at Vercel. */
  vercel: VercelSettings | undefined
  /** Undefined: plans are kept on the server's own ledger. */
  payments: PaymentSettings | undefined
  /** Undefined: mails are kept, and shown to administrators. */
  smtp: { url: string; from: string } | undefined
  environment: 'production' | 'development' | 'test'
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
}

/** A start that is refused. The message names every wrong setting and what is expected. */
export class ConfigurationError extends Error {
  constructor(problems: readonly string[]) {
    super(
      ['The server does not start because of its settings:', ...problems.map((problem) => `  ${problem}`)].join('\n'),
    )
    this.name = 'ConfigurationError'
  }
}

/** Reads and checks the settings. Empty values count as not given. Throws ConfigurationError. */
export function readConfiguration(environment: Readonly<Record<string, string | undefined>>): Configuration {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const problems = Object.keys(given)
    .filter((name) => name.startsWith('BOXYARD_') && !(name in environmentSchema.shape))
    .map((name) => `${name} is not a setting of Boxyard. Remove it, or look for a spelling mistake.`)

  const parsed = environmentSchema.safeParse(given)
  if (!parsed.success) {
    const names = new Set(parsed.error.issues.map((issue) => issue.path[0] as SettingName))
    problems.push(...[...names].map((name) => describeProblem(name, given[name])))
    throw new ConfigurationError(problems)
  }
  const env = parsed.data
  settingsTogether(env, ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'], problems)
  const signIn = readSignInSettings(env, problems)
  const vercel = readVercelSettings(env, problems)
  const payments = readPaymentSettings(env, problems)
  if (problems.length > 0) throw new ConfigurationError(problems)

  const protocol = env.BOXYARD_BASE?.startsWith('https://') ? 'https' : 'http'
  const base = env.BOXYARD_BASE?.replace(/^https?:\/\//, '') ?? `boxyard.localhost:${env.PORT}`
  return {
    port: env.PORT,
    host: env.HOST,
    base,
    protocol,
    appOrigin: `${protocol}://app.${base}`,
    home: resolve(env.BOXYARD_HOME ?? `${homedir()}/.boxyard`),
    databaseUrl: env.DATABASE_URL,
    adminToken: env.BOXYARD_ADMIN_TOKEN,
    driver: env.BOXYARD_DRIVER,
    npmRegistry: env.BOXYARD_NPM_REGISTRY,
    pipIndex: env.BOXYARD_PIP_INDEX,
    extensionRegistry: env.BOXYARD_EXTENSION_REGISTRY,
    signUp: env.BOXYARD_SIGN_UP,
    github:
      env.GITHUB_CLIENT_ID && env.GITHUB_CLIENT_SECRET
        ? {
            clientId: env.GITHUB_CLIENT_ID,
            clientSecret: env.GITHUB_CLIENT_SECRET,
            url: env.GITHUB_URL,
            apiUrl: env.GITHUB_API_URL ?? apiUrlOf(env.GITHUB_URL),
          }
        : undefined,
    signIn,
    vercel,
    payments,
    smtp: env.SMTP_URL
      ? { url: env.SMTP_URL, from: env.MAIL_FROM ?? `boxyard@${base.replace(/:\d+$/, '')}` }
      : undefined,
    environment: env.NODE_ENV,
    logLevel: env.LOG_LEVEL,
  }
}

function apiUrlOf(githubUrl: string): string {
  return githubUrl === 'https://github.com' ? 'https://api.github.com' : `${githubUrl}/api/v3`
}

function describeProblem(name: SettingName, value: string | undefined): string {
  const documentation = settingDocumentation.get(environmentSchema.shape[name])
  const shown = documentation?.secret ? 'its value' : JSON.stringify(value)
  return `${name}: ${shown} is not valid; expected ${documentation?.expected}.`
}
