import { expect, it } from 'vitest'
import { vueFailure } from './vueFailure.ts'

// As @vue/compiler-sfc 3.5.45 and the PostCSS of it say it of components that were given to them.
const ofTag = Object.assign(new SyntaxError('Element is missing end tag.'), {
  loc: { start: { line: 2, column: 3, offset: 13 } },
})
const ofScript = Object.assign(
  new SyntaxError(
    '[vue/compiler-sfc] Unexpected token (4:0)\n\n/src/App.vue\n5  |  <script setup lang="ts">\n6  |  const a: number = 1\n7  |  const b = (\n   |              ^\n8  |  </script>\n   |  ^',
  ),
  { loc: { line: 4, column: 0 }, pos: 33 },
)
const ofRule = new Error(
  '[@vue/compiler-sfc] <script setup> cannot contain ES module exports.\n\n/src/App.vue\n5  |  <script setup>\n6  |  const a = 1\n   |             ^\n7  |  export default {}\n   |  ^^^^^^^^^^^^^^^^^\n8  |  </script>',
)
const ofStyle = Object.assign(new Error('/src/App.vue:3:6: Unknown word color'), {
  reason: 'Unknown word color',
  line: 3,
  column: 6,
})

it.each([
  ['a tag', ofTag, 1, 'Element is missing end tag.', { line: 2, column: 2 }],
  ['a script', ofScript, 1, '[vue/compiler-sfc] Unexpected token (4:0)', { line: 8, column: 0 }],
  [
    'a rule of scripts',
    ofRule,
    1,
    '[@vue/compiler-sfc] <script setup> cannot contain ES module exports.',
    { line: 7, column: 0 },
  ],
  ['a style', ofStyle, 5, 'Unknown word color', { line: 7, column: 5 }],
  ['nothing else', new Error('Something else'), 5, 'Something else', undefined],
])(
  'BB1040: what is wrong with %s of a component of Vue is told where it stands in the file',
  (_, error, first, message, start) => {
    const failure = vueFailure(error, first)
    expect([failure.message, (failure as { start?: unknown }).start]).toEqual([message, start])
  },
)
