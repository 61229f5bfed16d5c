/** Operations reset the MFA of anyone here; practice admins reset that of their colleagues. */
import { useLoaderData } from '@remix-run/react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { realmOf } from '../../lib/sign-in-paths.ts'
import { getSession, page } from '../../services.server.ts'
import { loadReset, resetMfa } from '../../shared/sign-in/reset-mfa.server.ts'
import { ResetMfa } from '../../shared/sign-in/reset-mfa.tsx'

export const meta = () => [{ title: 'Reset two-step sign-in · Sandpiper' }]

const consoleOf = (request: Request): 'practice' | 'staff' =>
  realmOf(request) === 'practice' ? 'practice' : 'staff'
const lists = { practice: paths.practiceMfaList, staff: paths.staffMfaList }

export const loader = page(async (args) => {
  const realm = consoleOf(args.request)
  return { realm, ...(await loadReset(args, await getSession(args, realm))) }
})

export const action = page(async (args) => {
  const realm = consoleOf(args.request)
  return resetMfa(args, await getSession(args, realm), lists[realm])
})

export default function ResetMfaPage() {
  const { realm, person, stepUp } = useLoaderData<typeof loader>()
  return <ResetMfa person={person} stepUp={stepUp} back={lists[realm]} />
}
