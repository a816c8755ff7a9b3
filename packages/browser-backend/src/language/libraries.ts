/** The libraries of the language by name: `lib.dom.d.ts`. They are large, so this module is loaded when they are needed. */
export const libraries: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(
    import.meta.glob<string>('../../node_modules/typescript/lib/lib*.d.ts', {
      eager: true,
      query: '?raw',
      import: 'default',
    }),
  ).map(([path, text]) => [path.slice(path.lastIndexOf('/') + 1), text]),
)
