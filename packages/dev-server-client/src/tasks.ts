import type { Task, TaskDefinition, TaskList } from '@boxyard/protocol'
import type { TasksArea } from './api.ts'
import { AreaSync } from './areaSync.ts'
import type { AreaContext } from './areaSync.ts'
import { DevServerClientError } from './errors.ts'
import { Emitter } from './event.ts'
import { timings } from './timings.ts'

/** The tasks of the project and what runs of them. */
export class Tasks implements TasksArea {
  readonly #context: AreaContext
  readonly #sync: AreaSync
  readonly #changeEmitter = new Emitter<readonly Task[]>()
  readonly #configurationErrorEmitter = new Emitter<string>()
  readonly #take = { onResult: (task: Task | null) => task && this.#put(task) }
  readonly #takeList = { onResult: (list: TaskList) => this.#replace(list) }
  #list: TaskList = { tasks: {}, setupTasks: [], validationErrors: [] }

  readonly onDidChange = this.#changeEmitter.event
  readonly onConfigurationError = this.#configurationErrorEmitter.event

  constructor(context: AreaContext) {
    this.#context = context
    const { connection } = context
    this.#sync = new AreaSync(context, 'task', () => connection.request('task/list', {}, this.#takeList))
    connection.onNotification('task/listUpdate', (list) => this.#replace(list))
    connection.onNotification('task/update', (task) => this.#put(task))
    connection.onNotification('task/configParseError', ({ error }) => this.#configurationErrorEmitter.fire(error))
  }

  get ready(): Promise<void> {
    return this.#sync.ready
  }

  get all(): readonly Task[] {
    return Object.values(this.#list.tasks)
  }

  get list(): TaskList {
    return this.#list
  }

  run(taskId: string): Promise<Task> {
    return this.#context.connection.request('task/run', { taskId }, this.#take)
  }

  stop(taskId: string): Promise<Task | null> {
    return this.#context.connection.request('task/stop', { taskId }, this.#take)
  }

  runCommand(command: string, options: { name?: string; saveToConfig?: boolean } = {}): Promise<Task> {
    return this.#context.connection.request('task/runCommand', { command, ...options }, this.#take)
  }

  create(taskFields: TaskDefinition, options: { startTask?: boolean } = {}): Promise<TaskList> {
    return this.#context.connection.request('task/create', { taskFields, ...options }, this.#takeList)
  }

  update(taskId: string, taskFields: Partial<TaskDefinition>): Promise<Task> {
    return this.#context.connection.request('task/update', { taskId, taskFields }, this.#take)
  }

  saveToConfig(taskId: string): Promise<Task> {
    return this.#context.connection.request('task/saveToConfig', { taskId }, this.#take)
  }

  async generateConfig(): Promise<void> {
    const { connection } = this.#context
    const written = this.#untilWritten()
    try {
      await connection.request('task/generateConfig', {})
      await written.done
    } finally {
      written.forget()
    }
  }

  async createSetupTasks(tasks: TaskDefinition[]): Promise<void> {
    await this.#context.connection.request('task/createSetupTasks', { tasks })
  }

  running(command: string): Task {
    const task = this.all.find((one) => one.command === command && one.shell?.status === 'RUNNING')
    if (!task) throw new DevServerClientError('NO_TASK_RUNS', { command })
    return task
  }

  /** Listens from now on, because the file may be told of before the answer comes. */
  #untilWritten(): { done: Promise<void>; forget(): void } {
    const { connection } = this.#context
    let settle: { resolve(): void; reject(error: Error): void } | undefined
    const done = new Promise<void>((resolve, reject) => (settle = { resolve, reject }))
    done.catch(() => undefined)
    const subscription = connection.onNotification('fs/operations', ({ operations }) => {
      const isThere = operations.some(
        ({ operation }) => operation.type === 'create' && operation.newEntry.name === 'tasks.json',
      )
      if (isThere) settle?.resolve()
    })
    const cancel = connection.clock.schedule(
      () => settle?.reject(new DevServerClientError('CONFIG_NOT_GENERATED')),
      timings.waitForConfiguration,
    )
    return {
      done,
      forget() {
        subscription.dispose()
        cancel()
      },
    }
  }

  #replace(list: TaskList): void {
    this.#list = list
    this.#changeEmitter.fire(this.all)
  }

  #put(task: Task): void {
    this.#replace({ ...this.#list, tasks: { ...this.#list.tasks, [task.id]: task } })
  }
}
