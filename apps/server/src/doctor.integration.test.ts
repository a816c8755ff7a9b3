import { readdirSync, rmSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { readConfiguration } from './configuration.ts'
import { describeFindings, examineMachine } from './doctor.ts'
import { temporaryFolder } from './testing/folders.ts'

const home = temporaryFolder('doctor')
afterAll(() => rmSync(home, { recursive: true, force: true }))

const settings = { BOXYARD_HOME: home, BOXYARD_NPM_REGISTRY: 'http://registry.test', NODE_ENV: 'test' }
const found = (findings: Awaited<ReturnType<typeof examineMachine>>, subject: string) =>
  findings.find((finding) => finding.subject === subject)
const missing = () => Promise.reject(new Error('ENOTFOUND'))

it('tries boxes, names and registries, says what is missing, and leaves nothing', async () => {
  const findings = await examineMachine(
    readConfiguration({ ...settings, BOXYARD_BASE: 'boxes.example.test', BOXYARD_PIP_INDEX: 'http://index.test' }),
    missing,
  )
  const boxes = findings.find(({ subject }) => subject.startsWith('Boxes'))
  const names = found(findings, 'Names of previews')
  const packages = found(findings, 'Packages')
  expect(boxes).toMatchObject({ subject: 'Boxes (bwrap)', state: expect.stringMatching(/good|limited/) })
  expect(boxes?.texts.join(' ')).toMatch(/Disks of boxes are/)
  expect(names).toMatchObject({ state: 'missing', texts: [expect.stringContaining('*.preview.boxes.example.test')] })
  expect(packages?.state).toBe('good')
  expect(describeFindings(findings)).toContain('Names of previews: does not work')
  expect(readdirSync(home)).toEqual([])
})

it('calls a machine without isolation limited, and names below localhost too', async () => {
  const configuration = readConfiguration({ ...settings, BOXYARD_DRIVER: 'process' })
  const findings = await examineMachine(configuration, missing)
  expect(found(findings, 'Boxes (process)')?.state).toBe('limited')
  expect(found(findings, 'Names of previews')?.state).toBe('limited')
  const reached = await examineMachine(configuration, () => Promise.resolve({ address: '127.0.0.1' }))
  expect(found(reached, 'Names of previews')?.state).toBe('good')
})
