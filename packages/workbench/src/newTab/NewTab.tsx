import './newTab.css'
import type { Port, Task } from '@boxyard/protocol'
import { useEffect, useRef, useSyncExternalStore, type KeyboardEvent, type ReactNode } from 'react'
import type { BoxStore } from '../views/boxStore.ts'
import { taskOfPort } from '../preview/previewState.ts'
import { taskStatus } from '../views/taskStatus.ts'

/** A command of the workbench that the pane offers. */
export interface OfferedCommand {
  id: string
  name: string
  /** Of the workbench's icons. */
  icon: string
}

export interface NewTabProps {
  store: BoxStore
  canWrite: boolean
  commands: readonly OfferedCommand[]
  /** The keys of a command as they are written for people; undefined when it has none. */
  keysOf(command: string): string | undefined
  runCommand(command: string): void
  openPreview(port: number): void
  runTask(taskId: string): void
  showShell(shellId: string, name: string): void
}

/** What can be opened beside the code: pages of the box, its tasks, and the commands that are used most. */
export function NewTab(properties: NewTabProps) {
  const { store, commands, keysOf, runCommand, openPreview } = properties
  const pane = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The pane was given the focus before it had anything in it.
    if (pane.current?.parentElement === document.activeElement) pane.current?.querySelector('button')?.focus()
  }, [])
  const { ports, tasks } = useSyncExternalStore(store.subscribe, store.getSnapshot)
  return (
    <div ref={pane} className="boxyard-new-tab" role="group" aria-label="New tab" onKeyDown={moveFocus}>
      <Section title="Previews" empty="Nothing listens yet. The page of a server appears here when it runs.">
        {ports.map((port) => (
          <Row
            key={port.port}
            icon="globe"
            name={`Port ${port.port}`}
            detail={nameOfPort(port, tasks)}
            run={() => openPreview(port.port)}
          />
        ))}
      </Section>
      <Section title="Tasks" empty="No tasks yet. Scripts of package.json appear here.">
        {tasks.map((task) => (
          <TaskRow key={task.id} task={task} {...properties} />
        ))}
      </Section>
      <Section title="Open" empty="">
        {commands.map(({ id, name, icon }) => (
          <Row key={id} icon={icon} name={name} keys={keysOf(id)} run={() => runCommand(id)} />
        ))}
      </Section>
    </div>
  )
}

function TaskRow({ task, canWrite, runTask, showShell }: { task: Task } & NewTabProps) {
  const { shell } = task
  const isRunning = shell?.status === 'RUNNING' || shell?.status === 'RESTARTING'
  const { text, tone } = taskStatus(task)
  if (shell && (isRunning || !canWrite)) {
    return (
      <Row
        icon="terminal"
        name={task.name}
        label={`Show the output of ${task.name}`}
        detail={text}
        tone={tone}
        run={() => showShell(shell.shellId, task.name)}
      />
    )
  }
  return (
    <Row
      icon="play"
      name={task.name}
      label={`Run ${task.name}`}
      detail={text}
      tone={tone}
      isDisabled={!canWrite}
      run={() => runTask(task.id)}
    />
  )
}

function Section({ title, empty, children }: { title: string; empty: string; children: ReactNode[] }) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {children.length > 0 ? <ul>{children}</ul> : <p>{empty}</p>}
    </section>
  )
}

interface RowProps {
  icon: string
  name: string
  label?: string
  detail?: string
  tone?: string
  keys?: string | undefined
  isDisabled?: boolean
  run(): void
}

function Row({ icon, name, label = name, detail, tone, keys, isDisabled, run }: RowProps) {
  return (
    <li>
      <button
        type="button"
        disabled={isDisabled}
        aria-label={[label, detail, keys].filter(Boolean).join(', ')}
        onClick={run}
      >
        <span aria-hidden className={`codicon codicon-${icon}`} />
        <span className="boxyard-new-tab-name">{name}</span>
        {detail && <span className={`boxyard-new-tab-detail ${tone ?? ''}`}>{detail}</span>}
        {keys && <kbd>{keys}</kbd>}
      </button>
    </li>
  )
}

function nameOfPort({ port }: Port, tasks: readonly Task[]): string {
  return taskOfPort(port, tasks)?.name ?? ''
}

/** The arrows, Home and End go through everything that is offered. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button:enabled')]
  const at = buttons.indexOf(document.activeElement as HTMLElement)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key]
  const next = to === undefined ? undefined : buttons[to]
  if (!next) return
  event.preventDefault()
  next.focus()
}
