import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { paths } from '../../../server/contract/portal/paths.ts'
import { proofPaths, realmOf } from '../../lib/sign-in-paths.ts'
import { getSession, page } from '../../services.server.ts'
import { RealmPage } from '../../shared/frames/realm-page.tsx'
import { MfaBanner } from '../../shared/sign-in/mfa-banner.tsx'
import { endOwnSession, loadOwnSessions } from '../../shared/sign-in/own-sessions.server.ts'
import { OwnSessions } from '../../shared/sign-in/own-sessions.tsx'

export const meta: MetaFunction = () => [{ title: 'Sessions · Sandpiper' }]
export const handle = { here: 'Sessions' }

const addresses = {
  developer: paths.sessions,
  practice: paths.practiceSessions,
  staff: paths.staffOwnSessions,
}
/** Who must use two-step sign-in. A developer's is part of the account page. */
const mustUseMfa = { developer: null, practice: 'Admins and signatories', staff: 'Staff of their own' }

export const loader = page(async (args: LoaderFunctionArgs) => {
  const realm = realmOf(args.request)
  const own = await loadOwnSessions(args, realm)
  const others = mustUseMfa[realm]
  if (others === null) return { ...own, mfa: null }
  const { accountId, mfaState: state } = await getSession(args, realm)
  const { recoveryCodesLeft } = await args.context.services.mfaFactors.find(accountId)
  return { ...own, mfa: { state, recoveryCodesLeft, recoveryCodes: proofPaths[realm].recoveryCodes, others } }
})

export const action = page((args: ActionFunctionArgs) => {
  const realm = realmOf(args.request)
  return endOwnSession(args, realm, addresses[realm])
})

export default function Sessions() {
  const { sessions, sessionHours, mfa } = useLoaderData<typeof loader>()
  return (
    <RealmPage>
      <OwnSessions sessions={sessions} sessionHours={sessionHours} />
      {mfa && <MfaBanner {...mfa} />}
    </RealmPage>
  )
}
