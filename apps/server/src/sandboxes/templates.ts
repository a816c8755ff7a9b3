import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const templateFileSchema = z.object({
  title: z.string().min(1).max(100),
  description: z.string().max(300).nullish(),
  tags: z.array(z.string()).default([]),
  /** What it runs on, one word: node, python, static. */
  environment: z.string().default('node'),
  /** Path of the file to show first. */
  entry: z.string().nullish(),
})

export interface OfficialTemplate {
  /** Six letters and digits that follow from the name, so that links and scripts stay right. */
  id: string
  /** Name of the folder. */
  name: string
  title: string
  description: string | null
  tags: readonly string[]
  environment: string
  entry: string | null
  /** Absolute path of its files. */
  folder: string
  /** Absolute path of its icon, an SVG, or null. */
  icon: string | null
}

export interface TemplateCatalogue {
  all: readonly OfficialTemplate[]
  /** By id or by name. */
  find(idOrName: string): OfficialTemplate | null
}

/** Reads every folder of `root` that describes itself in `.codesandbox/template.json`. A broken description throws. */
export function readTemplates(root: string): TemplateCatalogue {
  const names = existsSync(root) ? readdirSync(root).toSorted() : []
  const all = names
    .filter((name) => existsSync(join(root, name, '.codesandbox', 'template.json')))
    .map((name) => readTemplate(join(root, name), name))
  const index = new Map(
    all.flatMap((template) => [[template.id, template] as const, [template.name, template] as const]),
  )
  return { all, find: (idOrName) => index.get(idOrName) ?? null }
}

function readTemplate(folder: string, name: string): OfficialTemplate {
  const path = join(folder, '.codesandbox', 'template.json')
  const icon = join(folder, '.codesandbox', 'icon.svg')
  const parsed = templateFileSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')))
  if (!parsed.success) throw new Error(`${path} is not valid: ${z.prettifyError(parsed.error)}`)
  const { title, description, tags, environment, entry } = parsed.data
  return {
    id: templateId(name),
    name,
    title,
    description: description ?? null,
    tags,
    environment,
    entry: entry ?? null,
    folder,
    icon: existsSync(icon) ? icon : null,
  }
}

export function templateId(name: string): string {
  const number = createHash('sha256').update(`template:${name}`).digest().readUIntBE(0, 6)
  return number.toString(36).padStart(6, '0').slice(-6)
}

/** Templates have names, the published schema wants a UUID: one that follows from the name. */
export function officialTemplateUuid({ name }: Pick<OfficialTemplate, 'name'>): string {
  const hex = createHash('sha256').update(`template:${name}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
