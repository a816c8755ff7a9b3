import { connectionMachine } from '../connectionMachine.ts'

interface Transition {
  readonly target: readonly { readonly path: readonly string[] }[] | undefined
  readonly guard?: unknown
}

/** What the chart needs of a state of the machine. */
interface State {
  readonly key: string
  readonly path: readonly string[]
  readonly initial: Transition
  readonly states: Readonly<Record<string, State>>
  readonly transitions: ReadonlyMap<string, readonly Transition[]>
  readonly always?: readonly Transition[] | undefined
}

/** The connection's states as a Mermaid chart, read from the machine itself. */
export function stateChart(): string {
  const never = () => new Promise<never>(() => {})
  const { root } = connectionMachine({
    now: () => 0,
    isFocused: () => true,
    open: never,
    join: never,
    reopen: never,
    prepareChange: never,
    leave: () => undefined,
    revertChange: () => undefined,
  })
  return ['stateDiagram-v2', ...statesOf(root, '  '), ...transitionsOf(root)].join('\n')
}

function statesOf(parent: State, indent: string): string[] {
  const [first] = parent.initial.target ?? []
  const lines = first ? [`${indent}[*] --> ${nameOf(first.path)}`] : []
  for (const state of Object.values(parent.states)) {
    if (Object.keys(state.states).length > 0) {
      lines.push(`${indent}state ${state.key} {`, ...statesOf(state, `${indent}  `), `${indent}}`)
    } else if (parent.path.length > 0) {
      lines.push(`${indent}${nameOf(state.path)}: ${state.key}`)
    }
  }
  return lines
}

function transitionsOf(state: State): string[] {
  const lines = (state.always ?? []).flatMap((transition) => arrows(state, 'at once', transition))
  for (const [event, transitions] of state.transitions) {
    for (const transition of transitions) lines.push(...arrows(state, labelOf(event), transition))
  }
  return [...lines, ...Object.values(state.states).flatMap(transitionsOf)]
}

function arrows({ path }: State, label: string, { target, guard }: Transition): string[] {
  if (path.length === 0) return []
  const condition = typeof guard === 'string' ? ` [${guard}]` : ''
  return (target ?? []).map((to) => `  ${nameOf(path)} --> ${nameOf(to.path)}: ${label}${condition}`)
}

function nameOf(path: readonly string[]): string {
  return path.join('_')
}

/** XState names its own events `xstate.done.actor...`, `xstate.error.actor...` and `xstate.after.DELAY.STATE`. */
function labelOf(event: string): string {
  if (!event.startsWith('xstate.')) return event
  const [, kind, detail] = event.split('.')
  if (kind === 'after') return `after ${detail}`
  return kind === 'done' ? 'done' : 'failed'
}
