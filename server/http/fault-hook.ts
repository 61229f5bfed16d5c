/** Where an interface calls the Fault Lab, and what it passes on about a request. */
import { Problem } from '../contract/http/problems.ts'
import type { FaultStep } from '../contract/lab/fault-script.ts'
import { type FaultInterface, type FaultOccasion, faultHeader } from '../contract/lab/faults.ts'

/** The sandbox key or the app that calls. */
export type FaultSubject =
  | Readonly<{ keyId: string; clientId?: undefined }>
  | Readonly<{ clientId: string; keyId?: undefined }>

/** The fields that an interface's call has for the Fault Lab. */
export type FaultedCall = {
  readonly request: Request
  /** The database confirmed during this request that the principal is valid. */
  alive: boolean
  /** The injected faults; null if there are none. */
  fault: FaultStep | null
}

export type FaultedRequest = Readonly<{
  environment: 'sandbox' | 'production'
  subject: FaultSubject
  api: FaultInterface
  /** The kinds of request this one is, `call` aside. */
  occasion: FaultOccasion
  /** Checks the credential in the database and throws if it is no longer valid. */
  confirm: () => Promise<void>
}>

export type Faults = {
  /**
   * @throws Problem of the fault, which stands in `call.fault` then; `validation` for a header that production, this
   *   interface or this request does not take
   */
  inject(call: FaultedCall, target: FaultedRequest): Promise<void>
}

/** For addresses that ask for no credential. @throws Problem `validation` for any fault header */
export function refuseFaults(request: Request): void {
  if (request.headers.has(faultHeader))
    throw new Problem('validation', {
      field: faultHeader,
      message: `${faultHeader} is for sandbox requests with a credential; this address takes none.`,
    })
}
