import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseTaskConfiguration } from './taskConfiguration.ts'

const folder = new URL('../../../../templates', import.meta.url).pathname
const templates = readdirSync(folder)

const templateSchema = z.strictObject({
  title: z.string().min(1).max(60),
  description: z.string().min(1).max(200),
  icon: z.string().optional(),
  tags: z.array(z.string().regex(/^[a-z]+$/)).min(1),
  id: z
    .string()
    .regex(/^[a-z\d]{6}$/)
    .optional(),
  entry: z.string().optional(),
  environment: z.string().optional(),
  browser: z.boolean().optional(),
  program: z.string().optional(),
})
const packageSchema = z.object({
  scripts: z.record(z.string(), z.string()),
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
})

const read = (template: string, file: string): string => readFileSync(join(folder, template, file), 'utf8')

describe.each(templates)('the template %s', (template) => {
  const configuration = parseTaskConfiguration(read(template, '.codesandbox/tasks.json'))

  it('TA9: is described', () => {
    expect(() => templateSchema.parse(JSON.parse(read(template, '.codesandbox/template.json')))).not.toThrow()
    expect(read(template, 'README.md')).toMatch(/^# \S/)
  })

  it('TA9: has tasks that are valid, one of them starts with the devbox and names its port', () => {
    expect(configuration.errors).toEqual([])
    const started = Object.values(configuration.tasks).filter((task) => task.runAtStart)
    // The one for programs that drive a machine runs nothing by itself.
    expect(started).toHaveLength(template === 'universal' ? 0 : 1)
    for (const task of started) expect(task.preview?.port).toBeGreaterThan(1023)
  })

  it('TA9: pins what it depends on, installs it as set-up and runs only scripts it has', () => {
    if (!readdirSync(join(folder, template)).includes('package.json')) {
      expect(configuration.setupTasks.map((task) => task.name)).toEqual(['Start the history'])
      return
    }
    const { scripts, dependencies, devDependencies } = packageSchema.parse(JSON.parse(read(template, 'package.json')))
    for (const version of Object.values({ ...dependencies, ...devDependencies })) {
      expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    }
    expect(configuration.setupTasks.map((task) => task.name)).toEqual(['Install dependencies', 'Start the history'])
    expect(configuration.setupTasks[0]?.command).toBe('npm install')
    for (const { command } of Object.values(configuration.tasks)) {
      const script = /^npm (?:run )?(\w+)$/.exec(command)?.[1]
      expect(Object.keys(scripts)).toContain(script)
    }
    const lock = read(template, 'package-lock.json')
    expect(lock).not.toContain('"resolved"')
  })
})
