import type { RegistrationKind } from '../../../server/contract/workflows/registration-workflow.ts'

interface WaitingOnProps {
  kind: RegistrationKind
  state: string
  audience: 'patient' | 'clinician' | 'backend'
  questions: number
}

const last = {
  patient: ['Patients', 'decide for themselves'],
  clinician: ['Clinicians', 'sign in and decide'],
  backend: ['Practices', 'authorize the system'],
} as const

const ofKey = {
  limits: ['Key', 'has the new limits'],
  key_term: ['Key', 'has the new term'],
} as const

const stepOf: Readonly<Record<string, number>> = {
  draft: 0,
  needs_info: 0,
  submitted: 1,
  resubmitted: 1,
  in_review: 1,
  enabling: 2,
  enabled: 3,
}

/** Whether the request still waits for someone. */
export const isOnTheWay = (state: string) => stepOf[state] !== undefined

/** The steps of a request in order, each with whom it waits for. The current one is filled. */
export function WaitingOn({ kind, state, audience, questions }: WaitingOnProps) {
  const step = stepOf[state]
  if (step === undefined) return null
  const you = ['You', state === 'needs_info' ? `${questions} to answer` : 'complete and submit'] as const
  // No app is configured for a key's limits or term: what a reviewer approves holds at once.
  const isOfKey = kind === 'limits' || kind === 'key_term'
  const steps = isOfKey
    ? ([you, ['Reviewer', 'decides'], ofKey[kind]] as const)
    : ([
        you,
        ['Reviewer', 'reviews the app'],
        ['Authorization server', 'accepts the client'],
        last[audience],
      ] as const)
  const now = Math.min(step, steps.length - 1)
  return (
    <ol className="waiting-on" aria-label="Next step">
      {steps.map(([who, what], place) => (
        <li
          key={who}
          className={place < now ? 'did' : place > now ? undefined : place === 0 ? 'has' : 'has theirs'}
          aria-current={place === now ? 'step' : undefined}
        >
          <span />
          <span>
            <b>{who}</b>
            <br />
            {what}
          </span>
        </li>
      ))}
    </ol>
  )
}
