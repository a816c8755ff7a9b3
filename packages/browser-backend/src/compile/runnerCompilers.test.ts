import { expect, it } from 'vitest'
import type { ForeignFile, ToRunner } from '../common/messages.ts'
import { RunnerCompilers } from './runnerCompilers.ts'

function begin() {
  const asked: (readonly string[])[] = []
  const sent: ToRunner[] = []
  const compilers = new RunnerCompilers(async ({ specifiers }) => {
    asked.push(specifiers)
    return { id: 'pack', imports: {}, versions: {} }
  })
  compilers.use({ postMessage: (message: ToRunner) => sent.push(message) })
  return { asked, sent, compilers }
}
const file = (kind: ForeignFile['kind']): ForeignFile => ({
  kind,
  path: '/a',
  text: 'text',
  files: new Map([['/_b.scss', 'b']]),
  jsxImportSource: 'react',
  packages: [],
  classes: [],
  plugins: [],
})

it('BB624: Sass and MDX are compiled by what the project has, in the page of the preview', async () => {
  const { asked, sent, compilers } = begin()
  const made = compilers.compile(file('sass'), { sass: '^1.0.0' })
  await expect.poll(() => sent.length).toBe(1)
  expect(sent[0]).toMatchObject({
    type: 'compile',
    id: 1,
    kind: 'sass',
    compiler: { specifier: 'sass' },
    files: new Map([['/_b.scss', 'b']]),
  })
  compilers.receive({ type: 'compiled', id: 1, script: '', css: 'a{}', includes: ['/_b.scss'] })
  expect(await made).toMatchObject({ css: 'a{}', includes: ['/_b.scss'] })
  void compilers.compile(file('mdx'), { '@mdx-js/rollup': '^3.0.0' })
  await expect.poll(() => sent.length).toBe(2)
  expect(asked).toEqual([['sass'], ['@mdx-js/mdx']])
})

it('BB624: a project that does not have them is told to add them', async () => {
  const { asked, compilers } = begin()
  for (const [kind, name] of [
    ['sass', 'sass'],
    ['mdx', '@mdx-js/mdx'],
  ] as const)
    await expect(compilers.compile(file(kind), {})).rejects.toMatchObject({
      problem: { file: '/a', message: expect.stringContaining(`"${name}"`) },
    })
  expect(asked).toEqual([])
})

it('BB983: what a page that has gone has not answered the next one is asked, and nothing is kept of the one before', async () => {
  const compilers = new RunnerCompilers(async () => ({ id: 'pack', imports: {}, versions: {} }))
  const page = () => {
    const asked: ToRunner[] = []
    return { asked, postMessage: (message: ToRunner) => void asked.push(message) }
  }
  const [first, second, third] = [page(), page(), page()]
  compilers.use(first)
  compilers.use(second)
  const made = compilers.compile(file('vue'), {})
  await expect.poll(() => second.asked.length).toBe(1)
  // One that is not used goes.
  compilers.leave(first)
  compilers.leave(second)
  compilers.use(third)
  expect([first.asked, third.asked]).toEqual([[], second.asked])
  compilers.receive({ type: 'compiled', id: 1, script: 'done', css: '' })
  expect(await made).toMatchObject({ script: 'done' })
  compilers.leave(third)
  await expect(compilers.compile(file('vue'), {})).rejects.toThrow('No page of the preview is open')
})

it('BB983: with a page that has gone another one that is open compiles', async () => {
  const compilers = new RunnerCompilers(async () => ({ id: 'pack', imports: {}, versions: {} }))
  const asked: string[] = []
  const page = (name: string) => ({ postMessage: (_message: ToRunner) => void asked.push(name) })
  const [open, gone] = [page('open'), page('gone')]
  compilers.use(open)
  compilers.use(gone)
  void compilers.compile(file('vue'), {})
  await expect.poll(() => asked).toEqual(['gone'])
  compilers.leave(gone)
  expect(asked).toEqual(['gone', 'open'])
})
