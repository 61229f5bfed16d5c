/** A form that could not be sent stays on the screen with everything that was typed. */
import type { ShouldRevalidateFunction } from '@remix-run/react'

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

export function isLostAnswer(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && (answer as Partial<typeof lost>).kind === lost.kind
}

/** For the page's `shouldRevalidate`, and those of the frames around it: loading their data anew would fail as well. */
export const loadUnlessLost: ShouldRevalidateFunction = ({ actionResult }) => !isLostAnswer(actionResult)
