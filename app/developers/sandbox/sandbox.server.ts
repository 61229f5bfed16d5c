/** What every page of an organization's sandbox needs: who asks, and where the sandbox is reached. */
import type { ActionFunctionArgs, AppLoadContext, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { sandboxBase } from '../../lib/api-base.server.ts'
import { getOrganization } from '../../shared/organizations/organization.server.ts'

/** The organization with the member in the words of the domain's laboratory. */
export async function getLab(args: LoaderFunctionArgs | ActionFunctionArgs) {
  const { organization, session, actor } = await getOrganization(args)
  return {
    organization,
    session,
    actor,
    asker: { organizationId: organization.id, accountId: session.accountId },
    sandbox: args.context.services.sandbox,
  }
}

/** Absolute bases under which a practice is called. */
export function basesOf(context: AppLoadContext, practiceSlug: string): { fhir: string; rest: string } {
  const { FHIR_ORIGIN } = context.services.env
  return { fhir: `${FHIR_ORIGIN}/r4/${encodeURIComponent(practiceSlug)}`, rest: sandboxBase(context) }
}
