import { join } from 'node:path'
import type { FrameLocator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { createAccount } from '../support/createAccount.ts'
import { PREVIEW_FRAME } from '../support/previewFrame.ts'
import { beginStory, repository } from '../support/story.ts'

// Kinds of projects that are compiled and run in the browser, each made of its files.

const { story, step: it } = beginStory('browser-kinds')

const preview = (): FrameLocator => story.page.frameLocator(PREVIEW_FRAME).first()
const picture = (name: string) =>
  story.page.screenshot({ path: join(repository, 'test-results', `browser-kinds-${name}.png`) })

/** Makes a sandbox without a machine of these files and opens it. */
async function open(files: Record<string, string>): Promise<Page> {
  const { page, server } = story
  const id = await page.evaluate(async (given) => {
    const headers = { 'content-type': 'application/json' }
    const content = Object.fromEntries(Object.entries(given).map(([path, text]) => [path, { content: text }]))
    const body = JSON.stringify({ files: content })
    const response = await fetch('/api/v1/sandboxes/define?json=1', { method: 'POST', headers, body })
    return ((await response.json()) as { sandbox_id: string }).sandbox_id
  }, files)
  await page.goto(`${server.address}/sandbox/${id}`)
  return page
}

/** Writes a file as another program would, and saves it. */
async function write(path: string, text: string): Promise<void> {
  await story.page.evaluate(
    async ([name, code]) => {
      const id = location.pathname.split('/').at(-1)
      const answer = await (await fetch(`/api/v1/sandboxes/${id}`)).json()
      const title = name!.split('/').at(-1)
      const file = answer.data.modules.find((one: { title: string }) => one.title === title)
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ code })
      const { status } = await fetch(`/api/v1/sandboxes/${id}/modules/${file.shortid}`, {
        method: 'PUT',
        headers,
        body,
      })
      if (status !== 200) throw new Error(`${name} was not saved: ${status}`)
    },
    [path, text],
  )
}

const page = (script: string) =>
  `<!doctype html><html lang="en"><head><title>x</title></head><body><div id="root"></div><script type="module" src="${script}"></script></body></html>`

it('signs in', async () => {
  await createAccount(story.page, story.server.address, 'ada')
})

/** `wrong` stands in line 3, `more` in line 7. */
const panel = (words: string, wrong = '', more = '') => `<script setup lang="ts">
const words: string = ${JSON.stringify(words)}
${wrong}
</script>
<template>
  <button @click="console.log(words)">panel {{ words }}</button>
  ${more}
</template>`
/** `wrong` stands in line 3, `more` in line 5. */
const counter = (words: string, wrong = '', more = '') => `<script lang="ts">
  const words: string = ${JSON.stringify(words)}
  ${wrong}
</script>
${more}
<button>counter {words}</button>`

it('styles a React project with Tailwind CSS, its plug-ins and the classes that are typed later', async () => {
  await open({
    'index.html': page('/src/main.tsx'),
    'package.json': JSON.stringify({
      dependencies: { react: '^19.0.0', 'react-dom': '^19.0.0', vue: '^3.5.0', svelte: '^5.0.0' },
      devDependencies: {
        tailwindcss: '^4.1.0',
        '@tailwindcss/vite': '^4.1.0',
        '@tailwindcss/typography': '^0.5.15',
        autoprefixer: '^10.4.0',
        'postcss-nesting': '^13.0.0',
      },
      browserslist: ['safari 14'],
    }),
    'postcss.config.mjs': `import nesting from 'postcss-nesting'
import autoprefixer from 'autoprefixer'
export default { plugins: [nesting(), autoprefixer({ cascade: false })] }`,
    'src/main.tsx': `import { createRoot } from 'react-dom/client'
import { createApp } from 'vue'
import { mount } from 'svelte'
import { Card } from './Card'
import Panel from './Panel.vue'
import Counter from './Counter.svelte'
import './index.css'
import './nested.css'
createRoot(document.getElementById('root')!).render(<Card />)
const place = () => document.body.appendChild(document.createElement('div'))
createApp(Panel).mount(place())
mount(Counter, { target: place() })`,
    'src/nested.css': '.outer {\n  & .inner { user-select: none; }\n}',
    'src/Panel.vue': panel('one'),
    'src/Counter.svelte': counter('one'),
    'src/Card.tsx': `export const Card = () => <article className="prose mt-[13px] text-brand"><h1>Styled</h1></article>`,
    'src/index.css': `@import "tailwindcss";
@import "./theme.css";
@plugin "@tailwindcss/typography";
@layer components { .boxed { @apply border-4; } }`,
    'src/theme.css': `@theme { --color-brand: rgb(1, 2, 3); }`,
  })
  const card = preview().getByRole('article')
  await card.getByRole('heading', { name: 'Styled' }).waitFor()
  const look = (name: string) =>
    card.evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name)
  expect([await look('margin-top'), await look('color')]).toEqual(['13px', 'rgb(1, 2, 3)'])
  // The plug-in of typography gives text of prose its width.
  expect(await look('max-width')).not.toBe('none')
  await picture('tailwind')
  await write(
    'src/Card.tsx',
    `export const Card = () => <article className="boxed mt-[17px] pl-7"><h1>Styled again</h1></article>`,
  )
  await card.getByRole('heading', { name: 'Styled again' }).waitFor()
  await expect
    .poll(async () => [await look('margin-top'), await look('padding-left'), await look('border-top-width')], {
      timeout: 30_000,
    })
    .toEqual(['17px', '28px', '4px'])
})

it('BB1106: plug-ins of PostCSS have changed the sheets of that page, those of components too', async () => {
  const styles = () => preview().locator('style').allTextContents()
  await expect.poll(async () => (await styles()).join('\n')).toMatch(/\.outer \.inner\s*\{\s*-webkit-user-select: none/)
  await write('src/nested.css', '.outer {\n  & .other { user-select: text; }\n}')
  await expect.poll(async () => (await styles()).join('\n')).toMatch(/\.outer \.other\s*\{\s*-webkit-user-select: text/)
  await write('src/nested.css', '.outer {\n  color: red;\n  & .other {')
  await preview().getByRole('alert').getByRole('button', { name: 'Open src/nested.css:3', exact: true }).waitFor()
  await write('src/nested.css', '')
  await preview().getByRole('alert').waitFor({ state: 'detached' })
})

it('BB976, BB1040: mistakes in components of Vue and Svelte lead to their line, in what is compiled and in what runs', async () => {
  const leads = (place: string) =>
    preview()
      .getByRole('alert')
      .getByRole('button', { name: `Open src/${place}`, exact: true })
      .waitFor()
  for (const { file, made, inTemplate, click } of [
    { file: 'Panel.vue', made: panel, inTemplate: '<p :title="words +">no</p>', click: '@click="fail"' },
    { file: 'Counter.svelte', made: counter, inTemplate: '<p title={words +}>no</p>', click: 'onclick={fail}' },
  ]) {
    const template = file === 'Panel.vue' ? 7 : 5
    await write(`src/${file}`, made('two', 'const x = ('))
    await leads(`${file}:4`)
    await write(`src/${file}`, made('two', '', inTemplate))
    await leads(`${file}:${template}`)
    const fail = "const fail = () => { throw new Error('thrown here') }"
    await write(`src/${file}`, made('two', fail, `<button ${click}>fail in ${file}</button>`))
    await preview()
      .getByRole('button', { name: `fail in ${file}` })
      .click()
    await leads(`${file}:3`)
    await write(`src/${file}`, made('three'))
    await preview().getByRole('button', { name: 'three' }).first().waitFor()
    await preview().getByRole('alert').waitFor({ state: 'detached' })
  }
  await picture('components')
})

it('runs workers: by address, by import, with packages, and starts again when one changes', async () => {
  const work = (words: string) => `import ms from 'ms'
import { twice } from './twice'
console.log('the worker is there')
self.onmessage = ({ data }) => self.postMessage('${words} ' + twice(data) + ' ' + ms('2 days') + ' ' + self.origin)`
  await open({
    'index.html': page('/main.ts'),
    'package.json': '{"dependencies":{"ms":"2.1.3"}}',
    'main.ts': `import Counter from './counter?worker'
const show = (name: string) => ({ data }: MessageEvent) => {
  const line = document.createElement('p')
  line.textContent = name + ': ' + data
  document.body.append(line)
}
const first = new Worker(new URL('./work.ts', import.meta.url), { type: 'module' })
first.onmessage = show('address')
// Said before any of its modules have run.
first.postMessage(21)
const second = new Counter()
second.addEventListener('message', show('import'))
second.postMessage('go')
const third = new Worker('/plain.js')
third.onmessage = show('plain')
third.postMessage('hi')`,
    'work.ts': work('one'),
    'twice.ts': 'export const twice = (x: number): number => 2 * x',
    'counter.ts': `let count = 0
addEventListener('message', () => {
  const inner = new Worker(new URL('./inner.js', import.meta.url), { type: 'module' })
  inner.onmessage = ({ data }) => { count += data; postMessage(count) }
  inner.postMessage(5)
})`,
    'inner.js': 'onmessage = ({ data }) => postMessage(data + 1)',
    'public/plain.js': 'onmessage = (event) => postMessage(event.data + " from a plain script")',
  })
  await preview()
    .getByText(/^address: one 42 172800000 https?:\/\/\w+-8080\.preview\./)
    .waitFor()
  await preview().getByText('import: 6').waitFor()
  await preview().getByText('plain: hi from a plain script').waitFor()
  await picture('workers')
  await write('work.ts', work('two'))
  await preview()
    .getByText(/^address: two 42/)
    .waitFor()
})

it('shows pictures that scripts ask for: plain files, and files beside a module', async () => {
  const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="20" height="10"/></svg>'
  await open({
    'index.html': page('/src/main.tsx'),
    'package.json': JSON.stringify({ dependencies: { react: '^19.0.0', 'react-dom': '^19.0.0' } }),
    'src/main.tsx': `import { createRoot } from 'react-dom/client'
createRoot(document.getElementById('root')!).render(<>
  <img alt="plain" src="/logo.svg" />
  <img alt="beside" src={new URL('./beside.svg', import.meta.url).href} />
  <div role="note" style={{ backgroundImage: 'url(/logo.svg)' }} dangerouslySetInnerHTML={{ __html: '<img alt="text" src="/logo.svg">' }} />
</>)`,
    'src/beside.svg': picture,
    'public/logo.svg': picture,
  })
  for (const name of ['plain', 'beside', 'text']) {
    const image = preview().getByAltText(name)
    await image.waitFor()
    await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0)
  }
  const style = () =>
    preview()
      .getByRole('note')
      .evaluate((one) => getComputedStyle(one).backgroundImage)
  await expect.poll(style).toMatch(/blob:/)
})
