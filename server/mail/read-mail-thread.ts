/** A thread that reads one email, and ends. */
import { parentPort, workerData } from 'node:worker_threads'
import { yieldToRequests } from '../threads.ts'
import { readMail } from './read-mail.ts'

yieldToRequests()

const { bytes } = workerData as { bytes: Uint8Array }
parentPort?.postMessage({ mail: await readMail(bytes) })
