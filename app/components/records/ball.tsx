interface BallProps {
  state: string
  audience: 'patient' | 'clinician' | 'backend'
  questions: number
}

const last = {
  patient: ['Patients', 'decide for themselves'],
  clinician: ['Clinicians', 'sign in and decide'],
  backend: ['Practices', 'authorize the system'],
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

/** Whether somebody holds the ball. */
export const isOnTheWay = (state: string) => stepOf[state] !== undefined

/** Who holds the ball, in order; filled is now. */
export function Ball({ state, audience, questions }: BallProps) {
  const now = stepOf[state]
  if (now === undefined) return null
  const steps = [
    ['You', state === 'needs_info' ? `${questions} to answer` : 'fill in and submit'],
    ['Reviewer', 'looks at what is published'],
    ['Sign-in server', 'accepts the client'],
    last[audience],
  ] as const
  return (
    <ol className="ball" aria-label="Who holds the ball">
      {steps.map(([who, what], step) => (
        <li
          key={who}
          className={step < now ? 'did' : step > now ? undefined : step === 0 ? 'has' : 'has theirs'}
          aria-current={step === now ? 'step' : undefined}
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
