// What VS Code itself knows of TypeScript in a page: each file alone. It is for boxes whose dev server has no language server.
import '@codingame/monaco-vscode-typescript-language-features-default-extension'
