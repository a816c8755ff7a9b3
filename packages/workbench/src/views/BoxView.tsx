import './boxView.css'
import type { Client, Port, SetupProgress, Task } from '@boxyard/protocol'
import type { SystemArea } from '@boxyard/dev-server-client'
import { useSyncExternalStore, type ReactNode } from 'react'
import type { BoxServices, PortVisibility } from '../index.ts'
import { MachineSection } from './MachineSection.tsx'
import { SecretsSection } from './SecretsSection.tsx'
import { usePortVisibility, type PortVisibilities } from './usePortVisibility.ts'
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
  /** Runs the set-up again from a step on. */
  runSetupStep(stepIndex: number): void
  skipSetupStep(stepIndex: number): void
  follow(clientId: string): void
}

export interface BoxViewProps {
  store: BoxStore
  actions: BoxActions
  canWrite: boolean
  /** Undefined: it has no machine. */
  system: Pick<SystemArea, 'onDidMetrics'> | undefined
  services: BoxServices
  /** Null where a terminal changes them. */
  dependencies: { store: DependencyStore; actions: DependencyActions } | null
}

/** The side-bar view of the box: its tasks, dependencies, ports, machine, set-up, secrets and people. */
export function BoxView({ store, actions, canWrite, system, services, dependencies }: BoxViewProps) {
  const visibilities = usePortVisibility(services.ports)
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
          <PortRow key={port.port} port={port} tasks={tasks} actions={actions} visibilities={visibilities} />
        ))}
      </Section>
      {system && <MachineSection system={system} sizes={services.sizes} restart={services.restart} />}
      {setup && setup.steps.some(({ command }) => command !== '') && (
        <Section title="Set-up" empty="">
          {setup.steps.map((step, index) => (
            <StepRow key={`${index} ${step.name}`} setup={setup} index={index} actions={actions} canWrite={canWrite} />
          ))}
        </Section>
      )}
      {services.secrets && <SecretsSection secrets={services.secrets} />}
      <Section title="People" empty="Nobody is here.">
        {people.map((person) => (
          <PersonRow
            key={person.clientId}
            person={person}
            isSelf={person.clientId === self?.clientId}
            follow={actions.follow}
          />
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

const visibilityNames: Readonly<Record<PortVisibility, string>> = {
  private: 'Only you',
  workspace: 'The workspace',
  public: 'Everybody',
}

interface PortRowProps {
  port: Port
  tasks: readonly Task[]
  actions: BoxActions
  visibilities: PortVisibilities | undefined
}

function PortRow({ port, tasks, actions, visibilities }: PortRowProps) {
  const task = tasks.find(({ ports }) => ports.some((open) => open.port === port.port))
  return (
    <li>
      <Row name={String(port.port)} status={{ text: task ? task.name : 'Opened in a terminal', tone: 'running' }}>
        {visibilities && (
          <select
            aria-label={`Who may look at port ${port.port}`}
            title={`Who may look at port ${port.port}`}
            value={visibilities.of(port.port) ?? ''}
            onChange={({ target: { value } }) => visibilities.set(port.port, isVisibility(value) ? value : null)}
          >
            <option value="">As the box</option>
            {Object.entries(visibilityNames).map(([visibility, words]) => (
              <option key={visibility} value={visibility}>
                {words}
              </option>
            ))}
          </select>
        )}
        <Action
          icon="open-preview"
          label={`Open the preview of port ${port.port}`}
          run={() => actions.openPreview(port.port)}
        />
      </Row>
    </li>
  )
}

function isVisibility(value: string): value is PortVisibility {
  return value in visibilityNames
}

function StepRow(props: { setup: SetupProgress; index: number; actions: BoxActions; canWrite: boolean }) {
  const { setup, index, actions, canWrite } = props
  const step = setup.steps[index]
  if (!step) return null
  const { shellId, name, command } = step
  return (
    <li title={command}>
      <Row name={name} status={stepStatus(setup, index)}>
        {shellId !== null && (
          <Action icon="terminal" label={`Show the output of ${name}`} run={() => actions.showShell(shellId, name)} />
        )}
        {canWrite && setup.state !== 'IN_PROGRESS' && (
          <Action
            icon="debug-restart"
            label={`Run the set-up from ${name} on`}
            run={() => actions.runSetupStep(index)}
          />
        )}
        {canWrite && setup.state !== 'FINISHED' && step.finishStatus === null && (
          <Action icon="debug-step-over" label={`Skip ${name}`} run={() => actions.skipSetupStep(index)} />
        )}
      </Row>
    </li>
  )
}

function PersonRow(props: { person: Client; isSelf: boolean; follow(clientId: string): void }) {
  const { person, isSelf, follow } = props
  return (
    <li>
      <span className="boxyard-row">
        <span className="boxyard-dot" style={{ background: person.color }} aria-hidden="true" />
        <span className="boxyard-name">{person.name}</span>
        {isSelf ? (
          <span className="boxyard-status">You</span>
        ) : (
          <span className="boxyard-actions">
            <Action icon="eye" label={`Follow ${person.name}`} run={() => follow(person.clientId)} />
          </span>
        )}
      </span>
    </li>
  )
}

function Row({ name, status, children }: { name: string; status: StatusWords; children: ReactNode }) {
  return (
    <span className="boxyard-row">
      <span className={`boxyard-lamp boxyard-${status.tone}`} aria-hidden="true" />
      <span className="boxyard-words">
        <span className="boxyard-name">{name}</span>
        <span className={`boxyard-status boxyard-${status.tone}`}>{status.text}</span>
      </span>
      <span className="boxyard-actions">{children}</span>
    </span>
  )
}

function Action({ icon, label, run }: { icon: string; label: string; run(): void }) {
  return <button type="button" className={`codicon codicon-${icon}`} aria-label={label} title={label} onClick={run} />
}
