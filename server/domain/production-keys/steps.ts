/** The five steps of a production key, as both sides see them: how far each is, who has it, since when. */
import type { ProductionKeyRequest } from '../../../prisma/generated/client/client.ts'
import type { ProductionKeyState } from '../../contract/workflows/production-key-workflow.ts'
import { waitingOn } from '../../contract/workflows/waiting-on.ts'

const stepNames = {
  request: 'Request',
  sponsor: 'Sponsor',
  agreement: 'Usage agreement',
  baa: 'BAA',
  key: 'Review and key',
} as const
type StepName = keyof typeof stepNames

type StepView = Readonly<{
  name: StepName
  title: string
  state: 'done' | 'here' | 'ahead' | 'ended'
  /** Who has it, in words; when it is done, nobody. */
  holder: string | null
  /** When it was done. */
  at: Date | null
}>

type Event = Readonly<{ event: string; to: string; at: Date }>

/** The event after which a step is done. */
const doneBy: Readonly<Record<StepName, readonly string[]>> = {
  request: ['submit', 'renew'],
  sponsor: ['confirm', 'reconfirm'],
  agreement: ['agreement_execute'],
  baa: ['baa_execute'],
  key: ['reveal'],
}

/** The step that a state lies in. */
const placeOf: Readonly<Partial<Record<ProductionKeyState, StepName>>> = {
  draft: 'request',
  sponsor_invited: 'sponsor',
  sponsor_expired: 'sponsor',
  renewal_invited: 'sponsor',
  security_hold: 'sponsor',
  sponsor_declined: 'sponsor',
  sponsor_confirmed: 'agreement',
  agreement_signed: 'agreement',
  agreement_executed: 'baa',
  baa_pending: 'baa',
  baa_half: 'baa',
  baa_negotiation: 'baa',
  stalled: 'baa',
  baa_executed: 'key',
  in_review: 'key',
  needs_info: 'key',
  approved: 'key',
  rejected: 'key',
  ready_to_claim: 'key',
  claim_expired: 'key',
}

const holders = {
  developer: 'The developers',
  practice: 'The practice',
  both: 'Both sides sign',
  us: 'Sandpiper',
  nobody: null,
} as const

/** @param events the oldest first */
export function stepsOf(
  { state, renewsId }: Pick<ProductionKeyRequest, 'state' | 'renewsId'>,
  events: readonly Event[],
): readonly StepView[] {
  const here = placeOf[state as ProductionKeyState]
  const ended = ['sponsor_declined', 'rejected', 'withdrawn'].includes(state)
  const names = Object.keys(stepNames) as StepName[]
  const place = here ? names.indexOf(here) : -1
  return names.map((name, index) => {
    const done = events.findLast(({ event }) => doneBy[name].includes(event))
    // A renewal stands on agreements that are signed already.
    const carried = renewsId !== null && (name === 'agreement' || name === 'baa')
    const isDone = (done !== undefined || carried) && (place === -1 || index < place || name !== here)
    const isHere = name === here && !isDone
    return {
      name,
      title: stepNames[name],
      state: isDone ? 'done' : isHere ? (ended ? 'ended' : 'here') : ended ? 'ended' : 'ahead',
      holder: isHere ? holders[waitingOn('production_key_request', state as ProductionKeyState)] : null,
      at: isDone ? (done?.at ?? null) : null,
    }
  })
}
