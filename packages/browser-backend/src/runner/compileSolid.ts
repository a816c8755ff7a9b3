/// <reference path="../types.d.ts" />
import { transformAsync } from '@babel/core'
import preset from 'babel-preset-solid'
import refresh from 'solid-refresh/babel'

/**
 * Compiles the JSX of Solid, and puts in what takes in new versions of components. The text has no types anymore; `map` leads from it to the
 * file. Resolves with a script and the map from that to the file.
 */
export async function compileSolid(
  path: string,
  text: string,
  map: string | undefined,
): Promise<{ script: string; css: string; map: string }> {
  const made = await transformAsync(text, {
    filename: path,
    sourceFileName: path,
    presets: [[preset, {}]],
    plugins: [[refresh, { bundler: 'vite' }]],
    // What the project has of settings for Babel is not read: it may be a program.
    babelrc: false,
    configFile: false,
    sourceMaps: true,
    inputSourceMap: map === undefined ? undefined : JSON.parse(map),
    ast: false,
  })
  if (typeof made?.code !== 'string') throw new Error(`${path} could not be compiled`)
  return { script: made.code, css: '', map: JSON.stringify(made.map) }
}
