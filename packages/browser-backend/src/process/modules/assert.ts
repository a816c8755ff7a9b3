import assert from 'assert/build/assert.js'
import type { Loose } from '../loose.ts'

/** Node's `assert`, as a package has it. */
export const nodeAssert: Loose = assert
