/** The way of an app from the sandbox to the people of practices, as its developers see how far it is. */
import type { RegistrationState } from '../workflows/registration-workflow.ts'

const appSteps = {
  sandbox: 'Sandbox test',
  registration: 'Registration',
  review: 'Review',
  enabled: 'Enabled',
} as const
type AppStep = keyof typeof appSteps

/** The step that a state lies in; null: the way has ended, or was given up. */
const stepOf: Readonly<Record<RegistrationState, AppStep | null>> = {
  draft: 'registration',
  submitted: 'review',
  in_review: 'review',
  needs_info: 'review',
  resubmitted: 'review',
  enabling: 'enabled',
  enabled: 'enabled',
  suspended: 'enabled',
  rejected: null,
  withdrawn: null,
  withdrawn_inactive: null,
  retired: null,
}

type Progress = 'done' | 'here' | 'ahead'

/** @param tested whether the app has had a token in the sandbox; one that was submitted without is not sent back */
export function appProgress(
  state: RegistrationState,
  tested: boolean,
): readonly Readonly<{ step: AppStep; title: string; progress: Progress }>[] {
  const steps = Object.keys(appSteps) as AppStep[]
  const reached = state === 'draft' && !tested ? 'sandbox' : stepOf[state]
  const place = reached === null ? -1 : steps.indexOf(reached)
  return steps.map((step, index) => ({
    step,
    title: appSteps[step],
    progress: state === 'enabled' || index < place ? 'done' : index === place ? 'here' : 'ahead',
  }))
}
