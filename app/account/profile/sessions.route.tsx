import { useLoaderData } from '@remix-run/react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { KeyRound, ShieldOff } from '../../components/ui/icons.ts'
import { Banner, LinkButton } from '../../components/ui/page-parts.tsx'
import { counted } from '../../lib/dates.ts'
import { proofPaths, realmOf } from '../../lib/sign-in-paths.ts'
import { getSession, page } from '../../services.server.ts'
import { RealmPage } from '../../shared/frames/realm-page.tsx'
import { endOwnSession, loadOwnSessions } from '../../shared/sign-in/own-sessions.server.ts'
import { OwnSessions } from '../../shared/sign-in/own-sessions.tsx'

export const meta = () => [{ title: 'Sessions · Sandpiper' }]
export const handle = { here: 'Sessions' }

const addresses = {
  developer: paths.sessions,
  practice: paths.practiceSessions,
  staff: paths.staffOwnSessions,
}
/** Who must use two-step sign-in. A developer's is part of the account page. */
const mustUseMfa = { developer: null, practice: 'Admins and signatories', staff: 'Staff of their own' }

export const loader = page(async (args) => {
  const realm = realmOf(args.request)
  const own = await loadOwnSessions(args, realm)
  const others = mustUseMfa[realm]
  if (others === null) return { ...own, mfa: null }
  const { accountId, mfaState: state } = await getSession(args, realm)
  const { recoveryCodesLeft } = await args.context.services.mfaFactors.find(accountId)
  return { ...own, mfa: { state, recoveryCodesLeft, recoveryCodes: proofPaths[realm].recoveryCodes, others } }
})

export const action = page((args) => {
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

/** So few are worth a word. */
const recoveryCodesFew = 3

interface MfaBannerProps {
  state: 'not_asked' | 'not_set_up' | 'needed' | 'given'
  recoveryCodesLeft: number
  /** The page that makes new ones. */
  recoveryCodes: string
  /** Who must use two-step sign-in. Shown for demonstration sign-ins, which don't use it. */
  others: string
}

/** Whether two-step sign-in is set up, on the first page after sign-in. */
function MfaBanner({ state, recoveryCodesLeft, recoveryCodes, others }: MfaBannerProps) {
  if (state === 'not_asked')
    return (
      <Banner tone="wait" icon={ShieldOff} title="A demonstration sign-in doesn’t use two-step sign-in.">
        {others} set up an authenticator app at their first sign-in and use its code every time.
      </Banner>
    )
  if (state !== 'given') return null
  return (
    <Banner
      tone={recoveryCodesLeft > recoveryCodesFew ? 'ok' : 'turn'}
      icon={KeyRound}
      title={`${counted(recoveryCodesLeft, 'recovery code')} left.`}
      action={<LinkButton to={recoveryCodes}>Make new ones</LinkButton>}
    >
      Use one if you lose your authenticator app.
    </Banner>
  )
}
