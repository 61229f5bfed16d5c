/** How an interface answers a request: its steps in their order, then the answer itself, recorded before it leaves. */
import type { Context } from 'hono'
import { type Problem, toProblem } from '../contract/http/problems.ts'
import type { FaultStep } from '../contract/lab/fault-script.ts'
import type { Edge, EdgeEnv } from './edge.ts'
import { faultedAnswer } from './faults.ts'

/** What is known of a request so far. */
type PipelineCall = {
  readonly edge: Edge
  /** Who calls, once it is known. */
  readonly principal?: { practice: { slug: string }; keyPrefix?: string; clientId?: string } | null
  readonly practice?: { slug: string } | null
  readonly clientId?: string | null
  /** What the Fault Lab injected. */
  fault: FaultStep | null
}

/** Passes, or throws a Problem. */
type Check<Call> = (call: Call) => void | Promise<void>
/** Ends the request with a response of its own, which it has recorded itself; undefined: the next step goes on. */
type Answering<Call> = (call: Call) => Response | undefined | Promise<Response | undefined>

/** In the order in which they are taken; the names are what the documentation calls them. */
export type Steps<Call> = readonly (readonly [name: string, step: Check<Call> | Answering<Call>])[]

type Api<Call extends PipelineCall, Answer> = {
  steps: Steps<Call>
  /** What the request asked for, once it has passed every step. */
  handle: (call: Call) => Promise<Answer>
  /** Nothing leaves before this is done. */
  record: (call: Call, answer: Answer) => Promise<void> | void
  respond: (call: Call, answer: Answer) => Response | Promise<Response>
  /** A failure of ours that the answer tells of in words of its own; it is logged like one that is thrown. */
  failureIn?: (answer: Answer) => Problem | null
  /** The refusal in the end: a caller whose credential is dead gets that told, whatever it asked. */
  settle?: (call: Call, problem: Problem) => Promise<Problem>
  recordRefusal: (call: Call, problem: Problem) => void
  refuse: (call: Call, problem: Problem) => Response | Promise<Response>
}

/** @returns answers one request; never throws */
export function createApi<Call extends PipelineCall, Answer>(api: Api<Call, Answer>) {
  return async function serve(c: Context<EdgeEnv>, call: Call): Promise<Response> {
    try {
      return await faultedAnswer(await answer(c, call), call.fault, c)
    } catch (thrown) {
      const first = toProblem(thrown)
      const problem = api.settle ? await api.settle(call, first) : first
      if (problem.status >= 500) c.error = problem
      // Its caller is unknown yet, and writing would add to the load.
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
