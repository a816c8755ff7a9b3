import { expect, it } from 'vitest'
import { openLightEditor, openWorkbench } from './index.ts'

it('WB1089: an editor is not opened in an element that is not on the page', async () => {
  const options = { element: { isConnected: false } } as never
  const refused = { code: 'NO_ELEMENT', message: 'Invalid dom node used for mounting' }
  await expect(openWorkbench(options)).rejects.toMatchObject(refused)
  await expect(openLightEditor(options)).rejects.toMatchObject(refused)
})
