type Pair = readonly [open: string, close: string]

interface Grammar {
  scopeName: string
}
type LoadGrammars = () => Promise<{ default: readonly Grammar[] }>

/** What the editor needs to know of a language beside its grammar. */
export interface LanguageConfiguration {
  comments: { lineComment?: string; blockComment?: Pair }
  brackets: readonly Pair[]
  autoClosingPairs: readonly { open: string; close: string; notIn?: readonly string[] }[]
  surroundingPairs: readonly Pair[]
}

export interface LateLanguage {
  id: string
  name: string
  extensions: readonly string[]
  scopeName: string
  configuration: LanguageConfiguration
  /** The languages of parts of its texts, by their scope. */
  embedded: Readonly<Record<string, string>>
  load: LoadGrammars
}

/** A grammar that no language has for itself. */
export interface LateGrammar {
  scopeName: string
  /** It is at work inside of these. */
  injectTo: readonly string[]
  load: LoadGrammars
}

const brackets: readonly Pair[] = [
  ['{', '}'],
  ['[', ']'],
  ['(', ')'],
]
const markup: Pair = ['<!--', '-->']
const slashes = { lineComment: '//', blockComment: ['/*', '*/'] } as const
const quotes = ['"', "'"]

function configured(
  comments: LanguageConfiguration['comments'],
  { pairs = brackets, strings = quotes }: { pairs?: readonly Pair[]; strings?: readonly string[] } = {},
): LanguageConfiguration {
  const closing = pairs.map(([open, close]) => ({ open, close }))
  const inText = strings.map((quote) => ({ open: quote, close: quote, notIn: ['string', 'comment'] }))
  return {
    comments,
    brackets: pairs,
    autoClosingPairs: [...closing, ...inText],
    surroundingPairs: [...pairs, ...strings.map((quote) => [quote, quote] as const)],
  }
}

const ofPages = {
  'source.css': 'css',
  'source.css.less': 'less',
  'source.css.postcss': 'css',
  'source.css.scss': 'scss',
  'source.js': 'javascript',
  'source.js.jsx': 'javascriptreact',
  'source.json': 'json',
  'source.ts': 'typescript',
  'source.tsx': 'typescriptreact',
}

/**
 * The languages that VS Code itself has no grammar of. Theirs are from the collection of Shiki, which keeps the licence of each: all of these are MIT,
 * Apache or BSD, or free for any use.
 */
export const moreLanguages: readonly LateLanguage[] = [
  {
    id: 'vue',
    name: 'Vue',
    extensions: ['.vue'],
    scopeName: 'text.html.vue',
    configuration: configured({ blockComment: markup }, { strings: [...quotes, '`'] }),
    embedded: ofPages,
    load: () => import('@shikijs/langs/vue'),
  },
  {
    id: 'svelte',
    name: 'Svelte',
    extensions: ['.svelte'],
    scopeName: 'source.svelte',
    configuration: configured({ blockComment: markup }, { strings: [...quotes, '`'] }),
    embedded: ofPages,
    load: () => import('@shikijs/langs/svelte'),
  },
  {
    id: 'astro',
    name: 'Astro',
    extensions: ['.astro'],
    scopeName: 'source.astro',
    configuration: configured({ blockComment: markup }, { strings: [...quotes, '`'] }),
    embedded: ofPages,
    load: () => import('@shikijs/langs/astro'),
  },
  {
    id: 'mdx',
    name: 'MDX',
    extensions: ['.mdx'],
    scopeName: 'source.mdx',
    configuration: configured({ blockComment: ['{/*', '*/}'] }, { strings: ['"', '`'] }),
    embedded: ofPages,
    load: () => import('@shikijs/langs/mdx'),
  },
  {
    id: 'toml',
    name: 'TOML',
    extensions: ['.toml'],
    scopeName: 'source.toml',
    configuration: configured({ lineComment: '#' }),
    embedded: {},
    load: () => import('@shikijs/langs/toml'),
  },
  {
    id: 'graphql',
    name: 'GraphQL',
    extensions: ['.graphql', '.gql', '.graphqls'],
    scopeName: 'source.graphql',
    configuration: configured({ lineComment: '#' }, { strings: ['"'] }),
    embedded: {},
    load: () => import('@shikijs/langs/graphql'),
  },
  {
    id: 'prisma',
    name: 'Prisma',
    extensions: ['.prisma'],
    scopeName: 'source.prisma',
    configuration: configured({ lineComment: '//' }, { strings: ['"'] }),
    embedded: {},
    load: () => import('@shikijs/langs/prisma'),
  },
  {
    id: 'proto3',
    name: 'Protocol Buffers',
    extensions: ['.proto'],
    scopeName: 'source.proto',
    configuration: configured(slashes),
    embedded: {},
    load: () => import('@shikijs/langs/proto'),
  },
  {
    id: 'kotlin',
    name: 'Kotlin',
    extensions: ['.kt', '.kts'],
    scopeName: 'source.kotlin',
    configuration: configured(slashes),
    embedded: {},
    load: () => import('@shikijs/langs/kotlin'),
  },
  {
    id: 'scala',
    name: 'Scala',
    extensions: ['.scala', '.sbt', '.sc'],
    scopeName: 'source.scala',
    configuration: configured(slashes, { strings: ['"'] }),
    embedded: {},
    load: () => import('@shikijs/langs/scala'),
  },
  {
    id: 'elixir',
    name: 'Elixir',
    extensions: ['.ex', '.exs'],
    scopeName: 'source.elixir',
    configuration: configured({ lineComment: '#' }),
    embedded: {},
    load: () => import('@shikijs/langs/elixir'),
  },
  {
    id: 'haskell',
    name: 'Haskell',
    extensions: ['.hs'],
    scopeName: 'source.haskell',
    configuration: configured({ lineComment: '--', blockComment: ['{-', '-}'] }, { strings: ['"'] }),
    embedded: {},
    load: () => import('@shikijs/langs/haskell'),
  },
  {
    id: 'zig',
    name: 'Zig',
    extensions: ['.zig', '.zon'],
    scopeName: 'source.zig',
    configuration: configured({ lineComment: '//' }),
    embedded: {},
    load: () => import('@shikijs/langs/zig'),
  },
  {
    id: 'stylus',
    name: 'Stylus',
    extensions: ['.styl'],
    scopeName: 'source.stylus',
    configuration: configured(slashes),
    embedded: {},
    load: () => import('@shikijs/langs/stylus'),
  },
]

const inVue = ['source.vue', 'text.html.vue', 'text.html.derivative', 'text.pug']

/** What the grammars above are made of, and VS Code does not bring. */
export const moreGrammars: readonly LateGrammar[] = [
  { scopeName: 'vue.directives', injectTo: inVue, load: () => import('@shikijs/langs/vue-directives') },
  { scopeName: 'vue.interpolations', injectTo: inVue, load: () => import('@shikijs/langs/vue-interpolations') },
  {
    scopeName: 'vue.sfc.style.variable.injection',
    injectTo: ['text.html.vue'],
    load: () => import('@shikijs/langs/vue-sfc-style-variable-injection'),
  },
  { scopeName: 'source.css.postcss', injectTo: [], load: () => import('@shikijs/langs/postcss') },
]

/** The one of a module that a scope means: a module has those that it is made of too. */
export async function loadGrammar({ scopeName, load }: Pick<LateGrammar, 'scopeName' | 'load'>): Promise<Grammar> {
  const found = (await load()).default.find((one) => one.scopeName === scopeName)
  if (!found) throw new Error(`The collection has no grammar of ${scopeName}`)
  return found
}
