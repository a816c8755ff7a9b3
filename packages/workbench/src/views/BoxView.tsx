import type { Client, Port, SetupProgress, Task } from '@boxyard/protocol'
import { useSyncExternalStore, type ReactNode } from 'react'
import type { BoxStore } from './boxStore.ts'
import { DependencySection } from './DependencySection.tsx'
import type { DependencyActions } from './DependencySection.tsx'
import type { DependencyStore } from './dependencyStore.ts'
import { stepStatus, taskStatus, type StatusWords } from './taskStatus.ts'

/** What a person can do from the view. Failures are reported by whoever implements them. */
export interface BoxActions {
  run(taskId: string): void
  stop(taskId: string): void
  restart(taskId: string): void
  showShell(shellId: string, name: string): void
  openPreview(port: number): void
}

export interface BoxViewProps {
  store: BoxStore
  actions: BoxActions
  canWrite: boolean
  /** Null where a terminal changes them. */
  dependencies: { store: DependencyStore; actions: DependencyActions } | null
}

/** The side-bar view of the box: its tasks, ports, set-up and people. */
export function BoxView({ store, actions, canWrite, dependencies }: BoxViewProps) {
  const { tasks, taskErrors, ports, setup, people, self } = useSyncExternalStore(store.subscribe, store.getSnapshot)
  return (
    <div className="boxyard-box">
      <Section title="Tasks" empty="No tasks yet. Scripts of package.json and .codesandbox/tasks.json appear here.">
        {tasks.map((task) => (
          <TaskRow key={task.id} task={task} actions={actions} canWrite={canWrite} />
        ))}
      </Section>
      {dependencies && <DependencySection {...dependencies} canWrite={canWrite} />}
      {taskErrors.map((error) => (
        <p key={error} role="alert" className="boxyard-alert">
          The task file was not read: {error}
        </p>
      ))}
      <Section title="Ports" empty="Nothing listens. The ports of running servers appear here.">
        {ports.map((port) => (
          <PortRow key={port.port} port={port} tasks={tasks} actions={actions} />
        ))}
      </Section>
      {setup && setup.steps.some(({ command }) => command !== '') && (
        <Section title="Set-up" empty="">
          {setup.steps.map((step, index) => (
            <StepRow key={`${index} ${step.name}`} setup={setup} index={index} actions={actions} />
          ))}
        </Section>
      )}
      <Section title="People" empty="Nobody is here.">
        {people.map((person) => (
          <PersonRow key={person.clientId} person={person} isSelf={person.clientId === self?.clientId} />
        ))}
      </Section>
    </div>
  )
}

function Section({ title, empty, children }: { title: string; empty: string; children: ReactNode[] }) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {children.length > 0 ? <ul>{children}</ul> : <p className="boxyard-quiet">{empty}</p>}
    </section>
  )
}

function TaskRow({ task, actions, canWrite }: { task: Task; actions: BoxActions; canWrite: boolean }) {
  const running = task.shell?.status === 'RUNNING' || task.shell?.status === 'RESTARTING'
  const { shell } = task
  return (
    <li title={task.command}>
      <Row name={task.name} status={taskStatus(task)}>
        {shell && (
          <Action
            icon="terminal"
            label={`Show the output of ${task.name}`}
            run={() => actions.showShell(shell.shellId, task.name)}
          />
        )}
        {canWrite && running && (
          <Action icon="debug-restart" label={`Restart ${task.name}`} run={() => actions.restart(task.id)} />
        )}
        {canWrite && running && (
          <Action icon="debug-stop" label={`Stop ${task.name}`} run={() => actions.stop(task.id)} />
        )}
        {canWrite && !running && <Action icon="play" label={`Run ${task.name}`} run={() => actions.run(task.id)} />}
      </Row>
    </li>
  )
}

function PortRow({ port, tasks, actions }: { port: Port; tasks: readonly Task[]; actions: BoxActions }) {
  const task = tasks.find(({ ports }) => ports.some((open) => open.port === port.port))
  return (
    <li>
      <Row name={String(port.port)} status={{ text: task ? task.name : 'Opened in a terminal', tone: 'running' }}>
        <Action
          icon="open-preview"
          label={`Open the preview of port ${port.port}`}
          run={() => actions.openPreview(port.port)}
        />
      </Row>
    </li>
  )
}

function StepRow({ setup, index, actions }: { setup: SetupProgress; index: number; actions: BoxActions }) {
  const step = setup.steps[index]
  if (!step) return null
  const { shellId, name, command } = step
  return (
    <li title={command}>
      <Row name={name} status={stepStatus(setup, index)}>
        {shellId !== null && (
          <Action icon="terminal" label={`Show the output of ${name}`} run={() => actions.showShell(shellId, name)} />
        )}
      </Row>
    </li>
  )
}

function PersonRow({ person, isSelf }: { person: Client; isSelf: boolean }) {
  return (
    <li>
      <span className="boxyard-row">
        <span className="boxyard-dot" style={{ background: person.color }} aria-hidden="true" />
        <span className="boxyard-name">{person.name}</span>
        {isSelf && <span className="boxyard-status">You</span>}
      </span>
    </li>
  )
}

function Row({ name, status, children }: { name: string; status: StatusWords; children: ReactNode }) {
  return (
    <span className="boxyard-row">
      <span className={`boxyard-lamp boxyard-${status.tone}`} aria-hidden="true" />
      <span className="boxyard-name">{name}</span>
      <span className={`boxyard-status boxyard-${status.tone}`}>{status.text}</span>
      <span className="boxyard-actions">{children}</span>
    </span>
  )
}

function Action({ icon, label, run }: { icon: string; label: string; run(): void }) {
  return <button type="button" className={`codicon codicon-${icon}`} aria-label={label} title={label} onClick={run} />
}
