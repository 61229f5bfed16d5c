/** What every page of an organization's sandbox needs: the member, and the sandbox's base URLs. */

import type { AppLoadContext } from '@remix-run/server-runtime'
import { sandboxBase } from '../../lib/api-base.server.ts'
import { getOrganization, type PageArgs } from '../../services.server.ts'

/** The organization, its member and the sandbox's services. */
export async function getLab(args: PageArgs) {
  const { mine: asker, ...found } = await getOrganization(args)
  return { ...found, asker, sandbox: args.context.services.sandbox }
}

/** The absolute base URLs of a practice. */
export function basesOf(context: AppLoadContext, practiceSlug: string): { fhir: string; rest: string } {
  const { FHIR_ORIGIN } = context.services.env
  return { fhir: `${FHIR_ORIGIN}/r4/${encodeURIComponent(practiceSlug)}`, rest: sandboxBase(context) }
}
