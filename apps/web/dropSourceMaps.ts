import type { Plugin } from 'vite'

/** Leaves out the source maps that packages of the editor bring along: more bytes than everything else, and nobody asks for them. */
export function dropSourceMaps(): Plugin {
  return {
    name: 'boxyard:drop-source-maps',
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const name of Object.keys(bundle)) {
        if (name.endsWith('.map')) delete bundle[name]
      }
    },
  }
}
