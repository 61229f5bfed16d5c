/** The organization's own sandbox practice, for its owners and admins. */
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/server-runtime'
import { ownPracticeRoles } from '../../../server/contract/lab/own-practice.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { getLab } from './sandbox.server.ts'

/** @throws a 403 page for other roles, and a redirect to the sandbox's page while there is none */
export async function getOwnPractice(args: LoaderFunctionArgs | ActionFunctionArgs) {
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
