/** Handles a request of an API: runs its steps in order, then the handler, and records the result before it is sent. */
import type { Context } from 'hono'
import { type Problem, toProblem } from '../contract/http/problems.ts'
import type { FaultStep } from '../contract/lab/fault-script.ts'
import type { Edge, EdgeEnv } from './edge.ts'
import { faultedAnswer } from './faults.ts'

/** The state of a request. */
type PipelineCall = {
  readonly edge: Edge
  /** The authenticated caller, once it is known. */
  readonly principal?: { practice: { slug: string }; keyPrefix?: string; clientId?: string } | null
  readonly practice?: { slug: string } | null
  readonly clientId?: string | null
  /** The fault that the Fault Lab injected. */
  fault: FaultStep | null
}

/** Throws a Problem to refuse the request. */
type Check<Call> = (call: Call) => void | Promise<void>
/** Returns a response that it has already recorded, or undefined to continue with the next step. */
type Answering<Call> = (call: Call) => Response | undefined | Promise<Response | undefined>

/** The steps in order; the documentation lists their names. */
export type Steps<Call> = readonly (readonly [name: string, step: Check<Call> | Answering<Call>])[]

type Api<Call extends PipelineCall, Answer> = {
  steps: Steps<Call>
  /** Handles the request after all steps have passed. */
  handle: (call: Call) => Promise<Answer>
  /** Records the result. The response is only sent afterwards. */
  record: (call: Call, answer: Answer) => Promise<void> | void
  respond: (call: Call, answer: Answer) => Response | Promise<Response>
  /** An internal failure that the handler has turned into a response. It is logged like a thrown one. */
  failureIn?: (answer: Answer) => Problem | null
  /** Decides the final error: an invalid credential takes precedence. */
  settle?: (call: Call, problem: Problem) => Promise<Problem>
  recordRefusal: (call: Call, problem: Problem) => void
  refuse: (call: Call, problem: Problem) => Response | Promise<Response>
}

/** @returns a function that handles a request and never throws */
export function createApi<Call extends PipelineCall, Answer>(api: Api<Call, Answer>) {
  return async function serve(c: Context<EdgeEnv>, call: Call): Promise<Response> {
    try {
      return await faultedAnswer(await answer(c, call), call.fault, c)
    } catch (thrown) {
      const first = toProblem(thrown)
      const problem = api.settle ? await api.settle(call, first) : first
      if (problem.status >= 500) c.error = problem
      // Under load, refusals are not recorded: the caller is not known yet, and writing would add to the load.
      if (call.edge.shed === null) api.recordRefusal(call, problem)
      return faultedAnswer(await api.refuse(call, problem), call.fault, c)
    } finally {
      call.edge.caller = callerOf(call)
    }
  }

  async function answer(c: Context<EdgeEnv>, call: Call): Promise<Response> {
    for (const [, step] of api.steps) {
      const ended = await step(call)
      if (ended) return ended
    }
    const handled = await api.handle(call)
    const failure = api.failureIn?.(handled) ?? null
    if (failure !== null && failure.status >= 500) c.error = failure
    await api.record(call, handled)
    return api.respond(call, handled)
  }
}

function callerOf({ principal, practice, clientId }: PipelineCall): Edge['caller'] {
  const slug = (principal?.practice ?? practice)?.slug
  const client = principal?.clientId ?? clientId
  return {
    ...(slug !== undefined && { practice: slug }),
    ...(principal?.keyPrefix !== undefined && { keyPrefix: principal.keyPrefix }),
    ...(client && { clientId: client }),
  }
}
