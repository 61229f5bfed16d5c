import { Banner } from '../../components/ui/banner.tsx'
import { LinkButton } from '../../components/ui/button.tsx'
import { KeyRound, ShieldOff } from '../../components/ui/icons.ts'
import { counted } from '../../lib/dates.ts'

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
export function MfaBanner({ state, recoveryCodesLeft, recoveryCodes, others }: MfaBannerProps) {
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
