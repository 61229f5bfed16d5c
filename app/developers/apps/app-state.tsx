import { appProgress } from '../../../server/contract/portal/app-path.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { stateNames } from '../../../server/contract/workflows/registration-workflow.ts'
import type { ListedApp } from '../../../server/domain/registrations/read-registration.ts'
import { Ban, CircleCheck, CircleDashed, Clock } from '../../components/ui/icons.ts'
import { Moment, Tag } from '../../components/ui/page-parts.tsx'

/** The developers' action at each step, if it is their turn. */
const actions = {
  sandbox: 'Test app',
  registration: 'Complete registration',
  review: 'Answer',
  enabled: 'View app',
} as const

/** An app as lists show it: its page, its state and its developers' next action. */
export function describeApp({ name, request, clients }: ListedApp, slug: string) {
  const pages = clients.map(({ clientId }) => paths.app(slug, clientId))
  const registration = request && paths.registration(slug, request.id)
  const page = pages[0] ?? registration ?? ''
  const stopped = pages[clients.findIndex(({ isSuspended }) => isSuspended)]
  const steps = request?.kind === 'app' ? appProgress(request.state, request.isTested) : []
  const index = steps.findIndex(({ progress }) => progress === 'here')
  const step = steps[index]
  const isTurn = request?.waitingOn === 'developer'
  const toAct = step?.step === 'sandbox' ? page : (registration ?? page)
  return {
    name: name || 'Untitled draft',
    page,
    tag: stopped ? <Tag icon={Ban}>Stopped</Tag> : <StateTag request={request} />,
    detail: step ? (
      `Step ${index + 1} of ${steps.length}, ${step.title.toLowerCase()}`
    ) : request ? (
      <>
        Changed <Moment at={request.updatedAt} as="date" />
      </>
    ) : null,
    next: stopped
      ? { to: stopped, label: 'View reason' }
      : isTurn
        ? { to: toAct, label: step ? actions[step.step] : 'Continue' }
        : null,
  }
}

function StateTag({ request }: Pick<ListedApp, 'request'>) {
  const state = request?.state ?? 'enabled'
  // A draft needs no action while the app is tried in the sandbox.
  const isTurn = request?.waitingOn === 'developer' && state !== 'draft'
  return (
    <Tag
      tone={state === 'enabled' ? 'ok' : isTurn ? 'turn' : 'quiet'}
      icon={state === 'enabled' ? CircleCheck : state === 'draft' ? CircleDashed : Clock}
    >
      {request ? stateNames[state] : 'Active'}
    </Tag>
  )
}
