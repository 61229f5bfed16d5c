/** What is written down about a call: the app's activity, and the practice's record. */
import { activityOf, outcomeOf } from '../audit/call-rows.ts'
import type { LogRecord } from '../audit/log-rows.ts'
import type { OAuthRefusal } from '../contract/smart/oauth-errors.ts'
import type { SmartCall } from './call.ts'

type Outcome = {
  status: number
  refusal: OAuthRefusal | null
  action: 'authorize' | 'token' | 'introspect' | 'revoke'
}

/** Null for an address of no practice: there is nobody to tell. */
export function recordOf(call: SmartCall, { status, refusal, action }: Outcome): LogRecord | null {
  const { edge, practice, clientId } = call
  if (practice === null) return null
  return {
    activity: activityOf(call, {
      door: 'smart',
      environment: practice.environment,
      clientId,
      practiceId: practice.id,
      status,
      refusal,
    }),
    // Only an app that exists is somebody; noise of unknown callers stays out of the practice's record.
    ...(clientId !== null && {
      access: {
        at: edge.receivedAt,
        practiceId: practice.id,
        principalKind: 'smart_token',
        principalId: clientId,
        action,
        resourceType: null,
        patientId: call.patientId,
        count: 0,
        purpose: 'operations',
        outcome: outcomeOf(status, refusal !== null),
        correlationId: edge.correlationId,
      },
    }),
  }
}
