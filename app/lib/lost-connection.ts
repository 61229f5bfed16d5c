/** A form that could not be sent stays on the screen with everything that was typed. */
import { type ShouldRevalidateFunction, useActionData } from '@remix-run/react'
import { useRef } from 'react'

export const lost = { kind: 'lost' } as const
/** A person stopped it while it was being sent. */
export const cancelled = { kind: 'cancelled' } as const

/** For a page's `clientAction`. */
export async function keepWhenLost<Answer>(send: () => Promise<Answer>): Promise<Answer | Response> {
  try {
    return await send()
  } catch (thrown) {
    // What fetch throws when there is no connection.
    if (thrown instanceof TypeError) return Response.json(lost, { status: 503 })
    throw thrown
  }
}

export const isLostAnswer = (answer: unknown): boolean => kindOf(answer) === lost.kind
/** Nothing of the form has reached the server, as far as the page knows. */
export const isUnsentAnswer = (answer: unknown): boolean =>
  isLostAnswer(answer) || kindOf(answer) === cancelled.kind

function kindOf(answer: unknown): unknown {
  return typeof answer === 'object' && answer !== null && 'kind' in answer ? answer.kind : undefined
}

/** The answer to the form, or the one before while the form could not be sent: the page stays as it was. */
export function useLastAnswer<Action>() {
  const answer = useActionData<Action>()
  const last = useRef(answer)
  if (!isUnsentAnswer(answer)) last.current = answer
  return last.current
}

/** For the page's `shouldRevalidate`, and those of the frames around it: loading their data anew would fail as well. */
export const loadUnlessLost: ShouldRevalidateFunction = ({ actionResult }) => !isUnsentAnswer(actionResult)
