/** The library of grammars, which has no types of its own there. */
declare module '@codingame/monaco-vscode-api/_virtual/main' {
  const grammars: { applyStateStackDiff: unknown; INITIAL: unknown }
  export default grammars
}
