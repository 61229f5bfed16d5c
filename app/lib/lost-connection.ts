/** A form that could not be sent stays on the screen with everything that was typed. */
import { type ShouldRevalidateFunction, useActionData } from '@remix-run/react'
import { useRef } from 'react'

const lost = { kind: 'lost' } as const

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

export const isLostAnswer = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'kind' in answer && answer.kind === lost.kind

/** The answer to the form, or the one before while the form could not be sent: the page stays as it was. */
export function useLastAnswer<Action>() {
  const answer = useActionData<Action>()
  const last = useRef(answer)
  if (!isLostAnswer(answer)) last.current = answer
  return last.current
}

/** For the page's `shouldRevalidate`, and those of the frames around it: loading their data anew would fail as well. */
export const loadUnlessLost: ShouldRevalidateFunction = ({ actionResult }) => !isLostAnswer(actionResult)
