/**
 * Injects faults into sandbox requests: after authentication and the liveness check, before any data is read. A dead
 * credential still gets its 401, and no other key ever sees a fault.
 */
import { Problem } from '../../contract/http/problems.ts'
import { type Fault, type FaultStep, parseFaultHeader } from '../../contract/lab/fault-script.ts'
import { faultHeader, faultRow, faultWaitsMax } from '../../contract/lab/faults.ts'
import type { FaultedCall, FaultedRequest, FaultSubject, Faults } from '../../http/faults.ts'
import type { ActiveFaults } from './active-faults.ts'

type Dependencies = {
  active: ActiveFaults
  /** Resolves after this many milliseconds, or as soon as the client disconnects. */
  pause: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

export function createFaults({ active, pause }: Dependencies): Faults {
  /** The principals whose requests are being delayed, one entry per request. */
  const waiting: string[] = []

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

  async function apply(call: FaultedCall, { code, value }: Fault, { keyId, clientId }: FaultSubject) {
    const { kind, problem } = faultRow(code)
    if (kind === 'wait') {
      if (isFull(keyId ?? clientId)) {
        // The Fault Lab is at its limit, not the service.
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
    message: 'Too many slow responses are already pending. Retry when some of them have arrived.',
    detail: 'fault:latency, too many wait',
    retryAfterSeconds: tooManyWaitSeconds,
  })
}

function wrongPlace(): Problem {
  return new Problem('validation', {
    field: faultHeader,
    message: 'This fault doesn’t apply to this request. The Fault Lab lists where each one applies.',
  })
}

/** A wait that holds nothing but the request itself. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end)
  })
}
