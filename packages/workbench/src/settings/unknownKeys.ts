import {
  KeyCode,
  KeyCodeUtils,
  ScanCode,
  ScanCodeUtils,
} from '@codingame/monaco-vscode-api/vscode/vs/base/common/keyCodes'
import JSON5 from 'json5'
import { z } from 'zod'

const bindings = z.array(z.object({ key: z.string() }).catch({ key: '' }))
const MODIFIER = /^(?:ctrl|shift|alt|cmd|win|meta)[+-]/i

/** The names in a file of key bindings that no key has, as they are written there. A file that is not well-formed has none: the editor says so. */
export function unknownKeys(text: string): string[] {
  let written: unknown
  try {
    written = JSON5.parse(text)
  } catch {
    return []
  }
  const found = bindings.safeParse(written)
  if (!found.success) return []
  const names = found.data.flatMap(({ key }) => key.trim().split(/\s+/)).map(withoutModifiers)
  return [...new Set(names.filter((name) => name !== '' && !isKnown(name)))]
}

function withoutModifiers(chord: string): string {
  let name = chord
  while (MODIFIER.test(name)) name = name.replace(MODIFIER, '')
  return name
}

function isKnown(name: string): boolean {
  const place = /^\[(.+)\]$/.exec(name)?.[1]
  return place === undefined
    ? KeyCodeUtils.fromUserSettings(name) !== KeyCode.Unknown
    : ScanCodeUtils.lowerCaseToEnum(place.toLowerCase()) > ScanCode.None
}
