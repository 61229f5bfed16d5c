/** What every page of an organization's sandbox needs: who asks, and where the sandbox is reached. */

import { type AppLoadContext, data, redirect } from '@remix-run/server-runtime'
import { ownPracticeRoles } from '../../../server/contract/lab/own-practice.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
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

/** @throws a 403 page for other roles, and a redirect to the sandbox's page while there is none */
export async function getOwnPractice(args: PageArgs) {
  const lab = await getLab(args)
  const { organization, asker, sandbox } = lab
  if (!ownPracticeRoles.includes(organization.role))
    throw data({ message: 'Only owners and admins can manage the sandbox practice.' }, { status: 403 })
  const overview = await sandbox.overview.get(asker)
  if (overview === null) throw redirect(paths.sandbox(organization.slug))
  const { practiceId: id, slug, name } = overview
  return {
    ...lab,
    practice: { id, slug, name },
    to: {
      console: paths.ownPractice(organization.slug),
      stops: paths.ownPracticeStops(organization.slug),
      audit: paths.ownPracticeAudit(organization.slug),
    },
  }
}
