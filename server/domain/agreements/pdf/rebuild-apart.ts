/** The process that rebuilds one PDF. */
import { answerApart } from '../../../apart.ts'
import { rebuild } from './rebuild.ts'

// The library prints warnings about a file to standard output, which must contain only the result.
for (const name of ['log', 'warn', 'error'] as const) console[name] = () => {}

await answerApart(rebuild)
