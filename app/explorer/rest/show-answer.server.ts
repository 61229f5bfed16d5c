/** An answer with what its page adds: code for the call, and where a refusal is explained. */
import type { ActionFunctionArgs } from '@remix-run/server-runtime'
import { basePaths } from '../../../server/contract/rest/openapi.ts'
import type { ExplorerResult } from '../../../server/lab/explorer/explorer-calls.ts'
import { refusalPage } from '../../shared/operations/describe-operation.server.ts'
import { withColors } from '../../shared/snippets/highlight.server.ts'
import { snippetsFor } from '../../shared/snippets/snippets.server.ts'
import { practiceChoices } from '../calls/caller.server.ts'
import type { ShownAnswer } from './answer-types.ts'

export async function showAnswer(args: ActionFunctionArgs, result: ExplorerResult): Promise<ShownAnswer> {
  const { practices } = await practiceChoices(args)
  const practice = practices.find(({ slug }) => slug === result.key.practice.slug)
  return {
    ...result,
    snippets: withColors(snippetsFor(result.request)),
    production: withColors(
      snippetsFor({
        ...result.request,
        // The first is the base: nothing before it is a path.
        url: result.request.url.replace(basePaths.sandbox, basePaths.production),
      }),
    ),
    refusal: refusalOf(result),
    organizationSlug: practice?.organizationSlug ?? null,
  }
}

function refusalOf({ answer: { status, text } }: ExplorerResult): ShownAnswer['refusal'] {
  if (status < 400) return null
  const [, code] = /"code":"([a-z_]{1,40})"/.exec(text) ?? []
  return code === undefined ? null : { code, to: refusalPage(code) }
}
