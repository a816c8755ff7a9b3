import type { CommandShell, Port, Task, TaskDefinition, TaskList } from '@boxyard/protocol'
import { ProtocolError, taskDefinitionSchema } from '@boxyard/protocol'
import { z } from 'zod'
import type { Connections } from '../area.ts'
import type { Configuration } from '../configuration.ts'
import type { ListeningSocket } from '../port/parseListeningSockets.ts'
import type { ShellSession } from '../shell/ShellSession.ts'
import type { Shells } from '../shell/Shells.ts'
import type { StateFile } from '../system/StateFile.ts'
import { assignPorts } from './assignPorts.ts'
import { findOpeners } from './findOpeners.ts'
import type { RestartOn } from './restartOn.ts'
import { newTaskId, setSetupTasks, setTask } from './taskConfiguration.ts'
import type { ParsedConfiguration } from './taskConfiguration.ts'
import type { TaskConfigurationFile } from './TaskConfigurationFile.ts'

/** What is kept across runs: commands that are in no configuration, and the last shell of each task. */
export const taskStateSchema = z.object({
  unconfigured: z.record(z.string(), taskDefinitionSchema),
  shells: z.record(z.string(), z.string()),
})
export type TaskState = z.infer<typeof taskStateSchema>

/** Commands that were started by hand and are over; more than this are forgotten, the oldest first. */
const MAX_UNCONFIGURED = 50

export interface TasksDependencies {
  file: TaskConfigurationFile
  state: StateFile<typeof taskStateSchema>
  shells: Shells
  connections: Connections
  describePort: (port: number) => Port
  /** Looks for open ports now. Resolves after portsChanged() was called with what changed. */
  refreshPorts: () => Promise<void>
  report: (error: unknown) => void
}

/** The tasks of the workspace, what runs of them, and which ports are theirs. */
export class Tasks {
  readonly #dependencies: TasksDependencies
  #configuration: ParsedConfiguration
  #state: TaskState
  #sockets: readonly ListeningSocket[] = []
  /** The task whose process opened a port, where it is known. */
  #openers: ReadonlyMap<number, string> = new Map()
  /** The owner of each open port; null for none. */
  #owners = new Map<number, string | null>()
  /** One start or stop of a task at a time. */
  readonly #work = new Map<string, Promise<unknown>>()

  private constructor(dependencies: TasksDependencies, configuration: ParsedConfiguration, state: TaskState) {
    this.#dependencies = dependencies
    this.#configuration = configuration
    this.#state = state
  }

  static async load(dependencies: TasksDependencies): Promise<Tasks> {
    const state = (await dependencies.state.read()) ?? { unconfigured: {}, shells: {} }
    const tasks = new Tasks(dependencies, await dependencies.file.read(), state)
    dependencies.shells.observe({
      exited: (session) => tasks.#changed(session),
      removed: (session) => tasks.#changed(session),
      started: (session) => tasks.#changed(session),
    })
    dependencies.file.watch((configuration) => tasks.#reconfigure(configuration))
    return tasks
  }

  get setupTasks(): readonly TaskDefinition[] {
    return this.#configuration.setupTasks
  }

  /** By task id, when it starts by itself. */
  get restartOn(): Readonly<Record<string, RestartOn>> {
    return this.#configuration.restartOn
  }

  list(): TaskList {
    return {
      tasks: Object.fromEntries(this.#ids().map((id) => [id, this.describe(id)])),
      setupTasks: this.#configuration.setupTasks,
      validationErrors: this.#configuration.errors,
    }
  }

  /** Throws TASK_NOT_FOUND. */
  describe(taskId: string): Task {
    const isConfigured = Object.hasOwn(this.#configuration.tasks, taskId)
    return {
      ...this.#definition(taskId),
      id: taskId,
      ...(isConfigured ? {} : { unconfigured: true }),
      shell: commandShellOf(this.sessionOf(taskId)),
      ports: this.#portsOf(taskId),
    }
  }

  /** The shell a task runs or ran in. */
  sessionOf(taskId: string): ShellSession | undefined {
    const shellId = Object.hasOwn(this.#state.shells, taskId) ? this.#state.shells[taskId] : undefined
    return shellId === undefined ? undefined : this.#dependencies.shells.find(shellId)
  }

  /** Starts a task. One that runs already is left alone. */
  run(taskId: string): Promise<Task> {
    return this.#exclusively(taskId, async () => {
      if (!this.sessionOf(taskId)?.isRunning) await this.#begin(taskId)
      return this.describe(taskId)
    })
  }

  /** Starts a task that runs anew. One that does not run is left alone. */
  restart(taskId: string): Promise<void> {
    return this.#exclusively(taskId, async () => {
      if (this.#isKnown(taskId) && this.sessionOf(taskId)?.isRunning) await this.#begin(taskId)
    })
  }

  async #begin(taskId: string): Promise<void> {
    const { name, command } = this.#definition(taskId)
    const { shells, report } = this.#dependencies
    const session = this.sessionOf(taskId)
    if (session?.record.command === command) {
      await shells.restart(session)
      return
    }
    if (session) await shells.terminate(session, '')
    const created = await shells.create({ type: 'COMMAND', command, name })
    this.#state.shells[taskId] = created.id
    this.#announce(taskId)
    await this.#save().catch(report)
  }

  /** Stops a task and everything it started. Its output stays until it runs again. */
  stop(taskId: string): Promise<Task> {
    return this.#exclusively(taskId, async () => {
      this.#definition(taskId)
      const session = this.sessionOf(taskId)
      if (session?.isRunning) {
        await this.#dependencies.shells.stop(session)
        await this.#dependencies.refreshPorts()
      }
      return this.describe(taskId)
    })
  }

  /** Runs a command that is in no configuration, or adds it there first. */
  async runCommand(command: string, name?: string, saveToConfig = false): Promise<Task> {
    if (saveToConfig) this.#refuseDuplicate(command)
    const definition = { name: name || command.slice(0, 200), command }
    const taskId = newTaskId(definition.name, new Set(this.#ids()))
    if (saveToConfig) {
      await this.#configure(taskId, definition)
    } else {
      this.#state.unconfigured[taskId] = definition
      await this.#forgetOldCommands()
      await this.#save()
    }
    this.#announceList()
    return this.run(taskId)
  }

  async create(definition: TaskDefinition, startTask = false): Promise<TaskList> {
    this.#refuseDuplicate(definition.command)
    const taskId = newTaskId(definition.name, new Set(this.#ids()))
    await this.#configure(taskId, definition)
    this.#announceList()
    if (startTask) await this.run(taskId)
    return this.list()
  }

  async update(taskId: string, change: Partial<TaskDefinition>): Promise<Task> {
    const definition = { ...this.#definition(taskId), ...change }
    if (Object.hasOwn(this.#configuration.tasks, taskId)) {
      await this.#configure(taskId, definition)
    } else {
      this.#state.unconfigured[taskId] = definition
      await this.#save()
    }
    this.#assign()
    this.#announce(taskId)
    return this.describe(taskId)
  }

  async saveToConfig(taskId: string): Promise<Task> {
    const definition = this.#definition(taskId)
    this.#refuseDuplicate(definition.command)
    await this.#configure(taskId, definition)
    this.#announce(taskId)
    return this.describe(taskId)
  }

  async generateConfig(): Promise<void> {
    await this.#dependencies.file.generate()
    this.#reconfigure(await this.#dependencies.file.read())
  }

  async createSetupTasks(tasks: readonly TaskDefinition[]): Promise<void> {
    await this.#dependencies.file.change((text) => setSetupTasks(text, tasks))
    this.#reconfigure(await this.#dependencies.file.read())
  }

  /**
   * Starts the tasks that are to run at the start of a box, of a copy of one, or of one that slept as files. `isAgain`: the dev server had
   * ended, and the tasks of the configuration that ran then go on too.
   */
  async runAtStart(boot: Configuration['boot'], isAgain: boolean): Promise<void> {
    const ran = (id: string): boolean => {
      const shellId = Object.hasOwn(this.#state.shells, id) ? this.#state.shells[id] : undefined
      return shellId !== undefined && this.#dependencies.shells.wasInterrupted(shellId)
    }
    const wanted = Object.entries(this.#configuration.tasks).filter(([id, { runAtStart }]) => {
      const { clone, resume } = this.restartOn[id] ?? {}
      return runAtStart || (boot === 'FORK' && clone) || (boot === 'RESUME' && resume) || (isAgain && ran(id))
    })
    await Promise.all(wanted.map(([id]) => this.run(id).catch(this.#dependencies.report)))
  }

  /** The box has slept in memory. What asked for it starts anew; the rest goes on where it was. */
  async woke(): Promise<void> {
    const wanted = Object.entries(this.restartOn).filter(([, { resume }]) => resume)
    const start = async (id: string): Promise<void> => {
      if (this.sessionOf(id)?.isRunning) await this.restart(id)
      else await this.run(id)
    }
    await Promise.all(wanted.map(([id]) => start(id).catch(this.#dependencies.report)))
  }

  /** Finds out whose the open ports are and tells the clients what changed. */
  async portsChanged(sockets: readonly ListeningSocket[]): Promise<void> {
    const leaders = new Map<string, number>()
    for (const id of this.#ids()) {
      const pid = this.sessionOf(id)?.pid
      if (pid !== undefined) leaders.set(id, pid)
    }
    this.#openers = await findOpeners(sockets, leaders)
    this.#sockets = sockets
    this.#assign()
  }

  #assign(): void {
    const { connections, describePort } = this.#dependencies
    const claims = this.#ids().map((taskId) => ({ taskId, previewPort: this.#definition(taskId).preview?.port }))
    const ports = this.#sockets.map((socket) => socket.port)
    const before = this.#owners
    this.#owners = assignPorts(ports, claims, this.#openers)
    const touched = new Set<string>()
    for (const port of new Set([...before.keys(), ...this.#owners.keys()])) {
      const was = before.get(port)
      const is = this.#owners.get(port)
      if (was === is) continue
      if (was) touched.add(was)
      if (is) touched.add(is)
      if (was === null) connections.broadcast('task/unassignedPortClosed', describePort(port))
      if (is === null) connections.broadcast('task/unassignedPortOpened', describePort(port))
    }
    for (const taskId of touched) if (this.#isKnown(taskId)) this.#announce(taskId)
  }

  #portsOf(taskId: string): Port[] {
    return [...this.#owners]
      .filter(([, owner]) => owner === taskId)
      .map(([port]) => this.#dependencies.describePort(port))
  }

  #ids(): string[] {
    return [...Object.keys(this.#configuration.tasks), ...Object.keys(this.#state.unconfigured)]
  }

  #isKnown(taskId: string): boolean {
    return Object.hasOwn(this.#configuration.tasks, taskId) || Object.hasOwn(this.#state.unconfigured, taskId)
  }

  #definition(taskId: string): TaskDefinition {
    if (!this.#isKnown(taskId)) throw new ProtocolError('TASK_NOT_FOUND')
    return (Object.hasOwn(this.#configuration.tasks, taskId) ? this.#configuration.tasks : this.#state.unconfigured)[
      taskId
    ]!
  }

  #refuseDuplicate(command: string): void {
    const isThere = Object.values(this.#configuration.tasks).some((task) => task.command === command)
    if (isThere) throw new ProtocolError('COMMAND_ALREADY_CONFIGURED')
  }

  /** Writes a task to the configuration; it is no longer among those that are in none. */
  async #configure(taskId: string, definition: TaskDefinition): Promise<void> {
    const { file } = this.#dependencies
    await file.change((text) => setTask(text, taskId, definition))
    this.#configuration = await file.read()
    await this.#dropConfigured()
  }

  #reconfigure(configuration: ParsedConfiguration): void {
    const { connections, report } = this.#dependencies
    const before = JSON.stringify(this.#configuration)
    if (configuration.isReadable) {
      this.#keepRunning(configuration)
      this.#configuration = configuration
    } else {
      // Half-typed text takes no task away: what was last readable stays.
      this.#configuration = { ...this.#configuration, errors: configuration.errors }
    }
    if (JSON.stringify(this.#configuration) === before) return
    for (const error of configuration.errors) connections.broadcast('task/configParseError', { error })
    this.#dropConfigured().catch(report)
    this.#assign()
    this.#announceList()
  }

  /** A task that runs while it is taken out of the configuration goes on as one that is in none. */
  #keepRunning(configuration: ParsedConfiguration): void {
    for (const [taskId, definition] of Object.entries(this.#configuration.tasks)) {
      if (Object.hasOwn(configuration.tasks, taskId) || !this.sessionOf(taskId)?.isRunning) continue
      this.#state.unconfigured[taskId] = definition
      this.#save().catch(this.#dependencies.report)
    }
  }

  async #dropConfigured(): Promise<void> {
    const ids = Object.keys(this.#state.unconfigured).filter((id) => Object.hasOwn(this.#configuration.tasks, id))
    if (ids.length === 0) return
    for (const id of ids) delete this.#state.unconfigured[id]
    await this.#save()
  }

  async #forgetOldCommands(): Promise<void> {
    const ended = Object.keys(this.#state.unconfigured).filter((id) => {
      const session = this.sessionOf(id)
      return session !== undefined && !session.isRunning
    })
    for (const id of ended.slice(0, Math.max(0, ended.length - MAX_UNCONFIGURED))) {
      const session = this.sessionOf(id)
      delete this.#state.unconfigured[id]
      delete this.#state.shells[id]
      if (session) await this.#dependencies.shells.terminate(session, '')
    }
  }

  #changed(session: ShellSession): void {
    const taskId = this.#ids().find((id) => this.#state.shells[id] === session.id)
    if (taskId !== undefined) this.#announce(taskId)
  }

  #announce(taskId: string): void {
    this.#dependencies.connections.broadcast('task/update', this.describe(taskId))
  }

  #announceList(): void {
    this.#dependencies.connections.broadcast('task/listUpdate', this.list())
  }

  #save(): Promise<void> {
    return this.#dependencies.state.write(this.#state)
  }

  #exclusively<T>(taskId: string, work: () => Promise<T>): Promise<T> {
    const done = (this.#work.get(taskId) ?? Promise.resolve()).then(work, work)
    this.#work.set(
      taskId,
      done.catch(() => undefined),
    )
    return done
  }
}

function commandShellOf(session: ShellSession | undefined): CommandShell | null {
  const shell = session?.describe()
  return shell?.shellType === 'COMMAND' ? shell : null
}
