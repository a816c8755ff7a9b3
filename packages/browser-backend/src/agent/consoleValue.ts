import { limits } from '../common/agentMessages.ts'
import type { ConsoleValue } from '../common/agentMessages.ts'

/** Values in one message, however they are nested. */
const MOST_VALUES = 400
/** And in one that may be left out. */
const MOST_BRIEF = 40

/** Values as they are shown in one line: cut where they are long, deep or in a circle. Nothing of the page runs for it, so getters stay unread. */
export function consoleValues(values: readonly unknown[], isBrief = false): ConsoleValue[] {
  const budget = new Budget(isBrief ? MOST_BRIEF : MOST_VALUES)
  return values.slice(0, limits.values).map((value) => describe(value, 0, budget))
}

export function consoleValue(value: unknown): ConsoleValue {
  return describe(value, 0, new Budget(MOST_VALUES))
}

/** What is left for one line. */
class Budget {
  left: number
  readonly above: object[] = []
  #characters: number = limits.line

  constructor(values: number) {
    this.left = values
  }

  /** As much of a text as there is room for. */
  cut(words: string): string {
    const most = Math.max(1, Math.min(limits.text, this.#characters))
    const shown = words.length > most ? `${words.slice(0, most - 1)}…` : words
    this.#characters -= shown.length
    return shown
  }

  plain(words: string): ConsoleValue {
    return { kind: 'plain', text: this.cut(words) }
  }
}

function describe(value: unknown, depth: number, budget: Budget): ConsoleValue {
  budget.left -= 1
  if (typeof value === 'string') return { kind: 'text', text: budget.cut(value) }
  if (typeof value === 'bigint') return budget.plain(`${value}n`)
  if (typeof value === 'function') return budget.plain(`function ${nameOf(value)}()`)
  if (typeof value !== 'object' || value === null) return budget.plain(String(value))
  const words = describeKnown(value)
  if (words !== undefined) return budget.plain(words)
  if (budget.above.includes(value)) return budget.plain('[circular]')
  const keys = memberNames(value)
  const shown = depth >= limits.depth ? [] : keys.slice(0, limits.members)
  const members: [string, ConsoleValue][] = []
  budget.above.push(value)
  for (const key of shown) {
    if (budget.left <= 0) break
    members.push([budget.cut(key), member(value, key, depth, budget)])
  }
  budget.above.pop()
  return { kind: 'object', name: budget.cut(className(value)), members, more: keys.length - members.length }
}

function member(value: object, key: string, depth: number, budget: Budget): ConsoleValue {
  if (value instanceof Map || value instanceof Set) {
    const entry: unknown = [...value][Number(key)]
    return describe(entry, depth + 1, budget)
  }
  const property = Object.getOwnPropertyDescriptor(value, key)
  if (!property || !('value' in property)) return budget.plain('(computed)')
  return describe(property.value, depth + 1, budget)
}

function memberNames(value: object): string[] {
  if (value instanceof Map || value instanceof Set)
    return Array.from({ length: value.size }, (_, index) => String(index))
  return Object.keys(value)
}

/** Objects that say more in words than by their members. */
function describeKnown(value: object): string | undefined {
  if (value instanceof Error)
    return value.stack?.includes(value.message) ? value.stack : `${value.name}: ${value.message}\n${value.stack ?? ''}`
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  if (value instanceof RegExp) return String(value)
  if (typeof Element !== 'undefined' && value instanceof Element) {
    const id = value.id === '' ? '' : `#${value.id}`
    return `<${value.tagName.toLowerCase()}${id}>`
  }
  return undefined
}

function className(value: object): string {
  if (Array.isArray(value)) return `Array(${value.length})`
  if (value instanceof Map || value instanceof Set) return `${value instanceof Map ? 'Map' : 'Set'}(${value.size})`
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === null || prototype === Object.prototype) return 'Object'
  const made = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value as unknown
  return typeof made === 'function' ? nameOf(made) : 'Object'
}

function nameOf(made: object): string {
  const name = Object.getOwnPropertyDescriptor(made, 'name')?.value as unknown
  return typeof name === 'string' && name !== '' ? name : 'anonymous'
}
