import { expect, it } from 'vitest'
import { ClassNames, classNamesIn } from './classNames.ts'

it('BB891: finds names of classes however a file writes them', () => {
  const text = `<p class="flex md:hover:bg-red-500/50 w-[calc(100%-1rem)] [&>p]:mt-2 -mt-1 bg-(--own) @md:p-2 !p-1">
    <b className={cond ? 'font-bold' : \`text-\${x} underline\`} :class="{ hidden: a, 'grid-cols-[1fr,2fr]': b }" class:italic={y}>
    clsx({ block: z }, ["mt-0.5","data-[state=open]:p-3"]) content-['x'] bg-[url('/a.png')]`
  expect(classNamesIn(text)).toEqual(
    expect.arrayContaining([
      'flex',
      'md:hover:bg-red-500/50',
      'w-[calc(100%-1rem)]',
      '[&>p]:mt-2',
      '-mt-1',
      'bg-(--own)',
      '@md:p-2',
      '!p-1',
      'font-bold',
      'underline',
      'hidden',
      'grid-cols-[1fr,2fr]',
      'italic',
      'block',
      'mt-0.5',
      'data-[state=open]:p-3',
      "content-['x']",
      "bg-[url('/a.png')]",
    ]),
  )
})

it('BB891: reads files that name classes, and none that only have styles', () => {
  const names = new ClassNames()
  const files = new Map<string, string | Uint8Array>([
    ['/a.tsx', '<p className="flex" />'],
    ['/b.css', '.grid {}'],
    ['/c.png', new Uint8Array(3)],
  ])
  expect(names.of(files)).toContain('flex')
  expect(names.sources).toEqual(['/a.tsx'])
  files.set('/a.tsx', '<p className="block" />')
  expect(names.of(files)).toContain('block')
  expect(names.of(files)).not.toContain('flex')
})

it('BB891: does not take long for what is no text of people', () => {
  const started = performance.now()
  classNamesIn('['.repeat(100_000) + '('.repeat(100_000) + 'a'.repeat(100_000))
  // Without a bound of its own the pattern would go over the rest of the text at each of these.
  expect(performance.now() - started).toBeLessThan(60_000)
})
