/**
 * Injects faults into sandbox requests: after authentication and the liveness check, before any data is read. A dead
 * credential still gets its 401, and no other key ever sees a fault.
 */
import { type Fault, type FaultStep, parseFaultHeader } from '../../contract/fault-script.ts'
import {
  type FaultInterface,
  type FaultOccasion,
  faultHeader,
  faultRow,
  faultWaitsMax,
} from '../../contract/faults.ts'
import { Problem } from '../../contract/problems.ts'
import type { ActiveFaults, FaultSubject } from './active-faults.ts'

/** What an interface's call carries for it. */
type FaultedCall = {
  readonly request: Request
  /** The database has said during this request that the principal is good. */
  alive: boolean
  /** What was injected; null: nothing. */
  fault: FaultStep | null
}

type FaultedRequest = Readonly<{
  environment: 'sandbox' | 'production'
  subject: FaultSubject
  api: FaultInterface
  /** The kinds of request this one is, `call` aside. */
  occasion: FaultOccasion
  /** Asks the database about the credential, and throws when it is dead. */
  confirm: () => Promise<void>
}>

type Dependencies = {
  active: ActiveFaults
  /** Resolves after so many milliseconds, or as soon as nobody waits any more. */
  pause: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

export function createFaults({ active, pause }: Dependencies) {
  /** Whose requests wait for a slow answer, one each. */
  const waiting: string[] = []

  /**
   * @throws Problem of the fault, which stands in `call.fault` then; `validation` for a header that production, this
   *   interface or this request does not take
   */
  async function inject(call: FaultedCall, target: FaultedRequest): Promise<void> {
    const header = call.request.headers.get(faultHeader)
    if (target.environment === 'production') {
      if (header !== null) throw noFaultsHere()
      return
    }
    const step = await findStep(header, target)
    if (step === null || step.length === 0) return
    call.fault = step
    for (const fault of step) await apply(call, fault, target.subject)
  }

  async function findStep(header: string | null, target: FaultedRequest): Promise<FaultStep | null> {
    const { subject, confirm } = target
    const fits = (step: FaultStep) => step.every(({ code }) => isFor(code, target))
    if (header !== null) {
      const step = parseFaultHeader(header)
      if (!fits(step)) throw wrongPlace()
      await confirm()
      return step
    }
    const id = await active.find(subject)
    if (id === null) return null
    await confirm()
    return active.take(id, fits)
  }

  async function apply(
    call: FaultedCall,
    { code, value }: Fault,
    { keyId, clientId }: FaultSubject,
  ): Promise<void> {
    const { kind, problem } = faultRow(code)
    if (kind === 'wait') {
      if (isFull(keyId ?? clientId)) {
        // It is the Fault Lab that has no room, and not the service.
        call.fault = [{ code: '503', value: tooManyWaitSeconds }]
        throw tooManyWait()
      }
      await wait(keyId ?? clientId, value ?? 0, call.request.signal)
      // Much may have happened since.
      call.alive = false
    }
    if (kind !== 'answer' || problem === undefined) return
    throw new Problem(problem, {
      detail: `fault:${code}`,
      ...(value !== null && { retryAfterSeconds: value }),
    })
  }

  function isFull(subject: string | undefined): boolean {
    const ofOne = waiting.filter((each) => each === subject).length
    return ofOne >= faultWaitsMax.ofOne || waiting.length >= faultWaitsMax.inAll
  }

  async function wait(subject: string, milliseconds: number, signal: AbortSignal): Promise<void> {
    waiting.push(subject)
    try {
      await pause(milliseconds, signal)
    } finally {
      waiting.splice(waiting.indexOf(subject), 1)
    }
  }

  return { inject }
}

export type Faults = ReturnType<typeof createFaults>

/** For addresses that ask for no credential. @throws Problem `validation` for any fault header */
export function refuseFaults(request: Request): void {
  if (request.headers.has(faultHeader))
    throw new Problem('validation', {
      field: faultHeader,
      message: `${faultHeader} is for sandbox requests with a credential; this address takes none.`,
    })
}

function isFor(code: Fault['code'], { api, occasion }: FaultedRequest): boolean {
  const row = faultRow(code)
  return row.interfaces.includes(api) && (row.occasion === 'call' || row.occasion === occasion)
}

function noFaultsHere(): Problem {
  return new Problem('validation', {
    field: faultHeader,
    message: `${faultHeader} is for the sandbox only. Production never injects faults.`,
  })
}

const tooManyWaitSeconds = 1

function tooManyWait(): Problem {
  return new Problem('unavailable', {
    message: 'Too many slow answers are being waited for already. Ask again when some of them have come.',
    detail: 'fault:latency, too many wait',
    retryAfterSeconds: tooManyWaitSeconds,
  })
}

function wrongPlace(): Problem {
  return new Problem('validation', {
    field: faultHeader,
    message: 'This fault does not apply to this request. The Fault Lab lists where each may be had.',
  })
}
