import { posix as plain, win32 as windows } from '@codingame/monaco-vscode-api/vscode/vs/base/common/path'
import type { Loose } from '../loose.ts'

// Node's own paths, as the sources of the editor have them: those of both systems.

const posix: Loose = { ...plain, _makeLong: plain.toNamespacedPath }
const win32: Loose = { ...windows, _makeLong: windows.toNamespacedPath }
for (const one of [posix, win32]) Object.assign(one, { posix, win32 })

/** Node's `path`. */
export const path = posix
