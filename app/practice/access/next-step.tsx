import { paths } from '../../../server/contract/portal/paths.ts'
import { ActionForm } from '../../components/ui/action-form.tsx'
import { KeyRound } from '../../components/ui/icons.ts'
import { Banner, LinkButton, Moment } from '../../components/ui/page-parts.tsx'
import { counted } from '../../lib/dates.ts'

interface NextStepProps {
  next: {
    title: string
    action: string
    to: string
    dueAt: Date | null
    /** Further entries of the inbox. */
    more: number
  } | null
  mfa: { state: string; recoveryCodesLeft: number }
}

/** Below this number of recovery codes, the page shows a notice. */
const recoveryCodesFew = 3

/** The reader's next to-do at this practice. Renders nothing if there is none. */
export function NextStep({ next, mfa }: NextStepProps) {
  if (next)
    return (
      <Banner
        tone="turn"
        title={next.title}
        action={
          <LinkButton look="primary" to={next.to}>
            {next.action}
          </LinkButton>
        }
      >
        {next.dueAt ? (
          <>
            Due <Moment at={next.dueAt} as="deadline" />.{more(next.more)}
          </>
        ) : (
          more(next.more).trim() || undefined
        )}
      </Banner>
    )
  if (mfa.state !== 'given' || mfa.recoveryCodesLeft > recoveryCodesFew) return null
  return (
    <Banner
      tone="turn"
      icon={KeyRound}
      title={`${counted(mfa.recoveryCodesLeft, 'recovery code')} left.`}
      action={<LinkButton to={paths.practiceRecoveryCodes}>Get new codes</LinkButton>}
    >
      You need one to sign in if you lose your authenticator app.
    </Banner>
  )
}

const more = (count: number) => (count > 0 ? ` Your inbox has ${count.toLocaleString('en-US')} more.` : '')

interface ConfirmStepProps {
  target: {
    requestId: string
    version: number
    name: string
    organizationName: string
    step: 'suspend' | 'reinstate'
  }
  onceKey: string
}

/** The button that stops or resumes the key, after the password was confirmed for it. */
export function ConfirmStep({ target, onceKey }: ConfirmStepProps) {
  const { requestId, version, name, organizationName, step } = target
  const isStop = step === 'suspend'
  return (
    <Banner
      tone={isStop ? 'bad' : 'turn'}
      title={isStop ? `Stop “${name}” of ${organizationName}?` : `Resume “${name}” of ${organizationName}?`}
      action={
        <ActionForm
          className="inline"
          intent={step}
          version={version}
          onceKey={`${onceKey}-proven`}
          row={{ name: 'request', id: requestId }}
          look={isStop ? 'danger' : 'primary'}
          button={isStop ? 'Stop key' : 'Resume key'}
        />
      }
    >
      {isStop
        ? 'Its next request is refused. You can undo this.'
        : 'It works again if no other restriction applies and every agreement is in force.'}
    </Banner>
  )
}
