import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { paths } from '../../server/contract/portal/paths.ts'
import { getSession, page } from '../services.server.ts'
import { MfaBanner } from '../shared/sign-in/mfa-banner.tsx'
import { endOwnSession, loadOwnSessions } from '../shared/sign-in/own-sessions.server.ts'
import { OwnSessions } from '../shared/sign-in/own-sessions.tsx'

export const meta: MetaFunction = () => [{ title: 'Sessions · Sandpiper' }]

export const handle = { here: 'Sessions' }

export const loader = page(async (args: LoaderFunctionArgs) => {
  const session = await getSession(args, 'practice')
  const { recoveryCodesLeft } = await args.context.services.mfaFactors.find(session.accountId)
  return { ...(await loadOwnSessions(args, 'practice')), mfaState: session.mfaState, recoveryCodesLeft }
})
export const action = page((args: ActionFunctionArgs) =>
  endOwnSession(args, 'practice', paths.practiceSessions),
)

export default function Sessions() {
  const { sessions, sessionHours, mfaState, recoveryCodesLeft } = useLoaderData<typeof loader>()
  return (
    <>
      <OwnSessions sessions={sessions} sessionHours={sessionHours} />
      <MfaBanner
        state={mfaState}
        recoveryCodesLeft={recoveryCodesLeft}
        recoveryCodes={paths.practiceRecoveryCodes}
        others="Admins and signatories"
      />
    </>
  )
}
