// Runs the dev server from its sources; a box runs the bundle of run.ts.
import { run } from './run.ts'

run()
