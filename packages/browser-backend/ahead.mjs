// A program for Node, which the build makes one file of: reads the files of a project on its standard input, as a list of paths and texts (null for what
// is no text), writes what its preview needs, and ends. The compiler stands beside it.
import { readFile } from 'node:fs/promises'
import { json } from 'node:stream/consumers'
import { lookAhead } from './src/ahead/lookAhead.ts'
import { loadOxc } from './src/compile/oxc.ts'

const nothing = new Uint8Array()
const files = new Map((await json(process.stdin)).map(([path, text]) => [path, text ?? nothing]))
const oxc = loadOxc(readFile(new URL('oxc.wasm', import.meta.url)))
process.stdout.write(JSON.stringify(await lookAhead(files, oxc)))
