/** All jobs that the worker runs. */
import { z } from 'zod'
import * as dataJobs from './data-jobs.ts'
import * as mailJobs from './mail-jobs.ts'
import * as recordJobs from './record-jobs.ts'
import { defineTask, type JobTask } from './task.ts'
import * as workflowJobs from './workflow-jobs.ts'

/** Jobs of earlier releases. One that is still in the queue must have a task, which does nothing. */
const retired = ['archive-access', 'mail-changelog', 'make-backup', 'send-inbox-digests'].map((name) =>
  defineTask({ name, payload: z.unknown(), run: () => Promise.resolve() }),
)

export const tasks = [
  ...retired,
  ...Object.values({ ...dataJobs, ...mailJobs, ...recordJobs, ...workflowJobs }),
] as readonly JobTask[]
