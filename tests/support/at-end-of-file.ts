/** Vitest runs this set-up file in every test file. */
import { afterAll } from 'vitest'
import { closeAll } from './to-close.ts'

afterAll(closeAll)
