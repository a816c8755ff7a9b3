import { expect, it } from 'vitest'
import { writeTemplates } from '../testing/templates.ts'
import { readTemplates } from './templates.ts'

it('lists a template that needs a program of the host only where the host has it', () => {
  const described = { title: 'T', description: '', tags: [] }
  const templates = writeTemplates({ plain: described, needy: { ...described, program: 'gopher' } })
  try {
    const names = (has: (program: string) => boolean) =>
      readTemplates(templates.folder, has).all.map(({ name }) => name)
    expect(names((program) => program === 'gopher')).toEqual(['needy', 'plain'])
    expect(names(() => false)).toEqual(['plain'])
    expect(readTemplates(templates.folder, () => false).find('needy')).toBeNull()
  } finally {
    templates.remove()
  }
})
