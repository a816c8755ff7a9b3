import { startAgent } from './startAgent.ts'

// The script that the edge puts into pages of devboxes which the editor shows in a frame.

const script = document.currentScript
const appOrigin = script instanceof HTMLScriptElement ? script.dataset['appOrigin'] : undefined
// The page's own scripts find the document as they wrote it.
script?.remove()
if (appOrigin !== undefined && window.parent !== window) startAgent({ page: window, appOrigin, tellsProblems: true })
