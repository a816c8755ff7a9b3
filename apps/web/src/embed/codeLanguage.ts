import type { Extension } from '@codemirror/state'

/** What colors a file, by its name; nothing for plain text. Each language is fetched when a file needs it. */
export async function codeLanguage(path: string): Promise<Extension> {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  switch (ending) {
    case 'js':
    case 'mjs':
    case 'cjs':
    case 'jsx':
    case 'ts':
    case 'mts':
    case 'cts':
    case 'tsx': {
      const { javascript } = await import('@codemirror/lang-javascript')
      return javascript({ jsx: ending.endsWith('x') || ending === 'js', typescript: /^[mc]?ts/.test(ending) })
    }
    case 'css':
    case 'scss':
    case 'less':
      return (await import('@codemirror/lang-css')).css()
    case 'html':
    case 'vue':
    case 'svelte':
    case 'svg':
      return (await import('@codemirror/lang-html')).html()
    case 'json':
      return (await import('@codemirror/lang-json')).json()
    case 'md':
    case 'mdx':
      return (await import('@codemirror/lang-markdown')).markdown()
    default:
      return []
  }
}
