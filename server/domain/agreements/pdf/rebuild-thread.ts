/** A thread that rebuilds one PDF from its pages, and ends. */
import { parentPort, workerData } from 'node:worker_threads'
import { yieldToRequests } from '../../../threads.ts'
import { rebuild } from './rebuild.ts'

yieldToRequests()
// The library warns of a file's faults, in the file's words.
for (const name of ['log', 'warn', 'error'] as const) console[name] = () => {}

const { bytes } = workerData as { bytes: Uint8Array }
parentPort?.postMessage(await rebuild(bytes))
