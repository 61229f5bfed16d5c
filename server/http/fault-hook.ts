/** Where an interface lets the Fault Lab in, and what it tells it of a request. */
import { Problem } from '../contract/http/problems.ts'
import type { FaultStep } from '../contract/lab/fault-script.ts'
import { type FaultInterface, type FaultOccasion, faultHeader } from '../contract/lab/faults.ts'

/** The sandbox key or the app that calls. */
export type FaultSubject =
  | Readonly<{ keyId: string; clientId?: undefined }>
  | Readonly<{ clientId: string; keyId?: undefined }>

/** What an interface's call carries for it. */
export type FaultedCall = {
  readonly request: Request
  /** The database has said during this request that the principal is good. */
  alive: boolean
  /** What was injected; null: nothing. */
  fault: FaultStep | null
}

export type FaultedRequest = Readonly<{
  environment: 'sandbox' | 'production'
  subject: FaultSubject
  api: FaultInterface
  /** The kinds of request this one is, `call` aside. */
  occasion: FaultOccasion
  /** Asks the database about the credential, and throws when it is dead. */
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
