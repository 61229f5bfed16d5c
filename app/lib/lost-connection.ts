/** A form that could not be sent stays on the screen with everything that was typed. */
import { type ShouldRevalidateFunction, useActionData } from '@remix-run/react'
import { useRef } from 'react'

const lost = { kind: 'lost' } as const

/** Sends a form in a page's `clientAction`: without a connection, the answer is a `lost` one and no error page. */
export async function keepWhenLost<Answer>(send: () => Promise<Answer>): Promise<Answer | Response> {
  try {
    return await send()
  } catch (thrown) {
    // Fetch throws a TypeError when there is no connection.
    if (thrown instanceof TypeError) return Response.json(lost, { status: 503 })
    throw thrown
  }
}

export const isLostAnswer = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'kind' in answer && answer.kind === lost.kind

/** The action's answer. If the form could not be sent, the answer before it, so that the page stays as it was. */
export function useLastAnswer<Action>() {
  const answer = useActionData<Action>()
  const last = useRef(answer)
  if (!isLostAnswer(answer)) last.current = answer
  return last.current
}

/** The `shouldRevalidate` of the page and its frames: without a connection, their loaders would fail as well. */
export const loadUnlessLost: ShouldRevalidateFunction = ({ actionResult }) => !isLostAnswer(actionResult)
