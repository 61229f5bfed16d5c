/** What every page of an organization's sandbox needs: who asks, and where the sandbox is reached. */

import type { AppLoadContext } from '@remix-run/server-runtime'
import { sandboxBase } from '../../lib/api-base.server.ts'
import { getOrganization, type PageArgs } from '../../services.server.ts'

/** The organization with the member in the words of the domain's laboratory. */
export async function getLab(args: PageArgs) {
  const { mine: asker, ...found } = await getOrganization(args)
  return { ...found, asker, sandbox: args.context.services.sandbox }
}

/** Absolute bases under which a practice is called. */
export function basesOf(context: AppLoadContext, practiceSlug: string): { fhir: string; rest: string } {
  const { FHIR_ORIGIN } = context.services.env
  return { fhir: `${FHIR_ORIGIN}/r4/${encodeURIComponent(practiceSlug)}`, rest: sandboxBase(context) }
}
