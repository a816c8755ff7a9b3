import { compile } from '@mdx-js/mdx'
import { expect, it } from 'vitest'
import { compileMdx } from './compileMdx.ts'
import type { MdxCompiler } from './compileMdx.ts'

const compiler = { compile } as unknown as MdxCompiler

it('BB623: compiles MDX to a component, with JSX of the project', async () => {
  const text = "import { Card } from './Card'\n\n# Hello {1 + 1}\n\n<Card>*so*</Card>\n"
  const { script, css } = await compileMdx(compiler, '/a.mdx', text, 'preact')
  expect(script).toContain('from "preact/jsx-runtime"')
  expect(script).toMatch(/import \{\s*Card\s*\} from ['"]\.\/Card['"]/)
  expect(script).toContain('export default function MDXContent')
  expect(css).toBe('')
})

it('BB623: says where a mistake in MDX is', async () => {
  await expect(compileMdx(compiler, '/a.mdx', '# Fine\n\n{1 +}\n', 'react')).rejects.toMatchObject({
    place: { line: 3, column: 5 },
    reason: expect.stringContaining('acorn'),
  })
})
