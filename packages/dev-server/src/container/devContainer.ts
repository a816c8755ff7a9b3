import { DEV_CONTAINER_COMMANDS, DEV_CONTAINER_STEP, FEATURE_STEP } from '@boxyard/protocol'
import { parse, type ParseError } from 'jsonc-parser'
import { z } from 'zod'

/** Where a dev container may be described, the first one that is there. */
export const DEV_CONTAINER_FILES = ['.devcontainer/devcontainer.json', '.devcontainer.json'] as const

const command = z.union([
  z.string(),
  z.array(z.string()),
  z.record(z.string(), z.union([z.string(), z.array(z.string())])),
])
type LifecycleCommand = z.infer<typeof command>
const variables = z.record(z.string(), z.string().nullable())

const devContainerSchema = z.looseObject({
  name: z.string().optional(),
  features: z.record(z.string(), z.union([z.string(), z.boolean(), z.record(z.string(), z.unknown())])).optional(),
  containerEnv: variables.optional(),
  remoteEnv: variables.optional(),
  onCreateCommand: command.optional(),
  updateContentCommand: command.optional(),
  postCreateCommand: command.optional(),
  postStartCommand: command.optional(),
  forwardPorts: z.array(z.union([z.number(), z.string()])).optional(),
})
export type DevContainer = z.infer<typeof devContainerSchema>

/** What the list of notes begins with. */
export const LEFT_OUT = 'A box leaves these parts of the dev container out:'

/** What of a description needs an engine for containers, and why a box does without. */
const outOfReach: Readonly<Record<string, string>> = {
  image: 'the box keeps the system it has, without what the image holds',
  build: 'no image is built; install what the Dockerfile installs with a set-up task',
  dockerFile: 'no image is built; install what the Dockerfile installs with a set-up task',
  dockerComposeFile: 'other containers are not started; run services as tasks',
  runArgs: 'there is no container to pass them to',
  mounts: 'the box has one disk of its own',
  workspaceMount: 'the workspace is where it is',
  privileged: 'a box has no more rights than it has',
  capAdd: 'a box has no more rights than it has',
  securityOpt: 'a box has no more rights than it has',
  remoteUser: 'everything in a box runs as one user',
  containerUser: 'everything in a box runs as one user',
  initializeCommand: 'it is for the machine around the container, which no box reaches',
  postAttachCommand: 'people come and go; run it as a task',
  hostRequirements: 'the size of a box is chosen in its settings',
}

/** The programs that well-known features are installed for. */
const programsOfFeatures: Readonly<Record<string, string>> = {
  'common-utils': 'bash',
  'docker-in-docker': 'docker',
  'docker-outside-of-docker': 'docker',
  'github-cli': 'gh',
  'git-lfs': 'git-lfs',
  'aws-cli': 'aws',
  'azure-cli': 'az',
  'kubectl-helm-minikube': 'kubectl',
  rust: 'cargo',
  python: 'python3',
}

export interface ContainerBox {
  workspace: string
  home: string
  environment: Readonly<Record<string, string>>
}

export interface ContainerStep {
  name: string
  command: string
}

export interface DevContainerPlan {
  /** What makes the box, once, in the order it runs. */
  steps: ContainerStep[]
  /** What runs at every start of it. */
  startSteps: ContainerStep[]
  environment: Record<string, string>
  /** Programs that features would have brought. */
  programs: string[]
  /** Sentences on what is not done, and why. */
  notes: string[]
}

/** Parses a devcontainer.json: JSON with comments. Throws an Error that says what is wrong. */
export function parseDevContainer(text: string): DevContainer {
  const errors: ParseError[] = []
  const root: unknown = parse(text, errors, { allowTrailingComma: true })
  if (errors.length > 0) throw new Error('devcontainer.json is not JSON with comments')
  const parsed = devContainerSchema.safeParse(root)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new Error(`devcontainer.json: ${issue?.path.map(String).join('.')}: ${issue?.message}`)
}

/** What a box does of a dev container: features in the repository, commands and variables; everything else is told. */
export function planDevContainer(container: DevContainer, box: ContainerBox): DevContainerPlan {
  const plan: DevContainerPlan = { steps: [], startSteps: [], environment: {}, programs: [], notes: [] }
  for (const [key, why] of Object.entries(outOfReach)) {
    if (container[key] !== undefined) plan.notes.push(`${key}: ${why}.`)
  }
  for (const [id, options] of Object.entries(container.features ?? {})) planFeature(id, options, plan)
  const given = Object.entries({ ...container.containerEnv, ...container.remoteEnv })
  for (const [name, value] of given) {
    if (!/^[A-Za-z_]\w*$/.test(name)) plan.notes.push(`${name}: this is not the name of a variable.`)
    else if (value !== null) plan.environment[name] = substituted(value, box)
  }
  for (const key of DEV_CONTAINER_COMMANDS) {
    plan.steps.push(...stepOf(key, container[key], box))
  }
  plan.startSteps.push(...stepOf('postStartCommand', container.postStartCommand, box))
  if (container.forwardPorts?.some((port) => typeof port === 'string')) {
    plan.notes.push('forwardPorts: every port of this box is reached already; there are no other containers.')
  }
  return plan
}

function planFeature(id: string, options: unknown, plan: DevContainerPlan): void {
  if (/^\.\.?\//.test(id)) {
    const folder = `.devcontainer/${id}`
    if (folder.split('/').includes('..')) {
      plan.notes.push(`${id}: a feature has to lie in the folder .devcontainer.`)
      return
    }
    const values = typeof options === 'object' && options !== null ? Object.entries(options) : []
    const assignments = values
      .filter(([name]) => /^\w+$/.test(name))
      .map(([name, value]) => `${name.toUpperCase()}=${quote(String(value))} `)
    plan.steps.push({
      name: `${FEATURE_STEP}${id}`,
      command: `cd ${quote(folder)} && ${assignments.join('')}bash ./install.sh`,
    })
    return
  }
  const name =
    id
      .replace(/[:@].*$/, '')
      .split('/')
      .at(-1) ?? id
  plan.programs.push(programsOfFeatures[name] ?? name)
  plan.notes.push(`${id}: features are not downloaded from a registry.`)
}

/** The parts of one command run at the same time; it fails when one of them does. */
function stepOf(name: string, value: LifecycleCommand | undefined, box: ContainerBox): ContainerStep[] {
  const parts = typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : [['', value] as const]
  const commands = parts.flatMap(([part, one]) => {
    if (one === undefined || one.length === 0) return []
    const text =
      typeof one === 'string' ? substituted(one, box) : one.map((word) => quote(substituted(word, box))).join(' ')
    return [{ part, text }]
  })
  if (commands.length === 0) return []
  if (commands.length === 1) return [{ name, command: commands[0]!.text }]
  const begun = commands.map(
    ({ part, text }, index) => `echo ${quote(`${name} ${part}`)}\n(${text}\n) & part${index}=$!`,
  )
  const awaited = commands.map((_, index) => `wait $part${index} || failed=$?`)
  return [{ name, command: ['failed=0', ...begun, ...awaited, 'exit $failed'].join('\n') }]
}

function substituted(value: string, box: ContainerBox): string {
  return value.replace(/\$\{([^}]+)\}/g, (whole, expression: string) => {
    if (/^(local|container)WorkspaceFolder$/.test(expression)) return box.workspace
    if (/^(local|container)WorkspaceFolderBasename$/.test(expression)) return box.workspace.split('/').at(-1) ?? ''
    const variable = /^(?:localEnv|containerEnv|env):([^:]+)(?::(.*))?$/.exec(expression)
    if (!variable) return whole
    return box.environment[variable[1]!] ?? variable[2] ?? ''
  })
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** What the box does without, in words; undefined when it does everything. */
export function saidOf({ notes, programs }: Pick<DevContainerPlan, 'notes' | 'programs'>): string | undefined {
  const said =
    notes.length === 0 ? [] : [LEFT_OUT, ...notes.map((note) => `- ${note}`)].map((line) => `echo ${quote(line)}`)
  const looked = programs.map(
    (program) =>
      `command -v ${quote(program)} >/dev/null && echo ${quote(`${program} is in this box`)} || echo ${quote(`${program} is missing in this box; install it with a set-up task`)}`,
  )
  return said.length + looked.length === 0 ? undefined : [...said, ...looked].join('\n')
}

/** What the first start of a box does for its dev container, each step with a terminal of its own. */
export function setupStepsOf(plan: DevContainerPlan): ContainerStep[] {
  const said = saidOf(plan)
  return [...(said === undefined ? [] : [{ name: DEV_CONTAINER_STEP, command: said }]), ...plan.steps]
}

/** One command that does the whole plan and says what is not done. */
export function setupCommand(plan: DevContainerPlan): string {
  const done = [...plan.steps, ...plan.startSteps].map(
    ({ name, command }) => `echo ${quote(name)}\n(${command}\n) || exit`,
  )
  return [saidOf(plan) ?? ':', ...done, `echo ${quote('The dev container is set up')}`].join('\n')
}
