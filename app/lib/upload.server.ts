/** A page's action for forms whose files a script sends. */
import type { PageArgs } from '../services.server.ts'
import type { UploadAnswer } from './upload.ts'

type Action = (args: PageArgs) => Promise<unknown>

/**
 * It is served under a URL of its own next to the page (app/routes.ts). Only XMLHttpRequest reports the progress of an
 * upload, but it follows redirects silently: here a redirect is a value in the body.
 */
export const uploadAction =
  (action: Action) =>
  async (args: PageArgs): Promise<Response> => {
    const answer = await action(args).catch(thrownAnswer)
    if (answer instanceof Response) return fromRedirect(answer)
    if (isData(answer)) return json({ answer: answer.data }, answer.init ?? {})
    return json({ answer }, {})
  }

/** A refused or missing page has no form to come back to: the browser shows its error page. */
function thrownAnswer(thrown: unknown): Response {
  if (thrown instanceof Response) return thrown
  if (isData(thrown)) return new Response(null, { status: thrown.init?.status ?? 500 })
  throw thrown
}

function fromRedirect(answer: Response): Response {
  const to = answer.headers.get('location')
  if (to === null) return answer
  const headers = new Headers()
  for (const cookie of answer.headers.getSetCookie()) headers.append('set-cookie', cookie)
  return json({ to }, { headers })
}

const json = (answer: UploadAnswer, init: ResponseInit) => Response.json(answer, init)

/** `data(…)` makes an object of Remix's own, distinguished by its type tag. */
function isData(answer: unknown): answer is { data: unknown; init: ResponseInit | null } {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    'type' in answer &&
    answer.type === 'DataWithResponseInit'
  )
}
