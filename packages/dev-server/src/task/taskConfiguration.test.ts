import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  newTaskId,
  parseTaskConfiguration,
  printTaskConfiguration,
  setSetupTasks,
  setTask,
} from './taskConfiguration.ts'

describe('tasks.json', () => {
  it('TA10: comments and trailing commas are allowed, and prLink becomes pr-link', () => {
    const parsed = parseTaskConfiguration(`{
      // a comment
      "setupTasks": ["npm ci", { "name": "Build", "command": "npm run build" }, { "command": "true" }],
      "tasks": {
        "dev": {
          "name": "Dev", "command": "npm run dev", "runAtStart": true,
          "preview": { "port": 3000, "prLink": "devtool" },
          "restartOn": { "files": ["x"] },
        },
      },
    }`)
    expect(parsed).toEqual({
      isReadable: true,
      errors: [],
      restartOn: { dev: { files: ['x'] } },
      setupTasks: [
        { name: 'npm ci', command: 'npm ci' },
        { name: 'Build', command: 'npm run build' },
        { name: 'true', command: 'true' },
      ],
      tasks: {
        dev: {
          name: 'Dev',
          command: 'npm run dev',
          runAtStart: true,
          preview: { port: 3000, 'pr-link': 'devtool' },
        },
      },
    })
  })

  it('TA11: what is right is used although something else is wrong', () => {
    const { tasks, setupTasks, errors, isReadable } = parseTaskConfiguration(
      JSON.stringify({
        setupTasks: [7, 'true'],
        tasks: { good: { name: 'Good', command: 'true' }, bad: { name: 'Bad', preview: { port: 99_999 } } },
      }),
    )
    expect(isReadable).toBe(true)
    expect(Object.keys(tasks)).toEqual(['good'])
    expect(setupTasks).toEqual([{ name: 'true', command: 'true' }])
    expect(errors).toHaveLength(3)
    expect(errors.join('\n')).toMatch(/setupTasks\[0\][^]*tasks\.bad\.command[^]*tasks\.bad\.preview\.port/)
  })

  it('TA11: text that is not JSON is not readable, and the error names the line', () => {
    expect(parseTaskConfiguration('{\n  "tasks": {\n')).toMatchObject({
      isReadable: false,
      tasks: {},
      errors: [expect.stringMatching(/^Line 3: Close brace expected$/)],
    })
    expect(parseTaskConfiguration('[]').isReadable).toBe(false)
    expect(parseTaskConfiguration('').isReadable).toBe(false)
  })

  it('TA11: no text makes the parser throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(parseTaskConfiguration(text).errors).toBeInstanceOf(Array)
      }),
    )
  })

  it('TA12: a change keeps everything else, and what was written is read back', () => {
    const task = { name: 'Dev', command: 'npm run dev', preview: { port: 3000, 'pr-link': 'direct' as const } }
    const text = setSetupTasks(setTask('{\n  // mine\n  "other": { "kept": true }\n}\n', 'dev', task), [
      { name: 'Install', command: 'npm ci' },
    ])
    expect(text).toContain('// mine')
    expect(text).toMatch(/"other": {\s+"kept": true\s+}/)
    expect(parseTaskConfiguration(text)).toMatchObject({
      errors: [],
      tasks: { dev: task },
      setupTasks: [{ name: 'Install', command: 'npm ci' }],
    })
    const configuration = { tasks: { dev: task }, setupTasks: [{ name: 'Install', command: 'npm ci' }] }
    expect(parseTaskConfiguration(printTaskConfiguration(configuration))).toMatchObject(configuration)
  })

  it('TA12: a new id is made of the name and is not taken', () => {
    expect(newTaskId('Start the Server!', new Set())).toBe('start-the-server')
    expect(newTaskId('dev', new Set(['dev', 'dev-2']))).toBe('dev-3')
    expect(newTaskId('漢字', new Set())).toBe('task')
  })
})
