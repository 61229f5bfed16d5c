/** The process that rebuilds one PDF. */
import { answerApart } from '../../../apart.ts'
import { rebuild } from './rebuild.ts'

// The library warns of a file's faults on standard output, where the result goes.
for (const name of ['log', 'warn', 'error'] as const) console[name] = () => {}

await answerApart(rebuild)
