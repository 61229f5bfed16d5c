import { windowTable } from '../../contract/http/limits.ts'
import { clockTime, type KeyCaps } from '../../contract/keys/key-caps.ts'
import type { Handler, HandlerCall } from '../handler-types.ts'

/** Asks the database in any case: the answer is about the key itself. */
export const getContext: Handler<'getContext'> = async ({ refresh, access, capUse }) => {
  const { practice, ...key } = await refresh()
  const narrowed = access()
  const body = {
    practice: { id: practice.slug, name: practice.name, environment: key.environment },
    principal: {
      kind: key.kind,
      keyPrefix: key.keyPrefix,
      keyName: key.keyName,
      level: key.level,
      dataClasses: narrowed && [...narrowed.classes],
      purposes: narrowed && [...narrowed.purposes],
      expiresAt: key.expiresAt.toISOString(),
    },
    limits: {
      key: ratesOf('restKey', key.limits),
      practice: ratesOf('restPractice'),
      caps: key.caps && (await describeCaps(key.caps, capUse)),
    },
  }
  return { body, count: 0, patientId: null }
}

/** @param granted in place of the published limits, as the windows count with them */
function ratesOf(
  window: 'restKey' | 'restPractice',
  granted: readonly [burst: number, sustained: number] | null = null,
) {
  const [burst, sustained] = windowTable[window].windows
  const [perSecond, perMinute] = granted ?? [burst.requests, sustained.requests]
  return { perSecond, perMinute }
}

async function describeCaps(caps: KeyCaps, capUse: HandlerCall<'getContext'>['capUse']) {
  const { callsPerDay, patientsPerDay, hours, zone } = caps
  const { resetsAt, ...used } = await capUse(caps)
  return {
    callsPerDay,
    patientsPerDay,
    hours: hours && { from: clockTime(hours.from), until: clockTime(hours.until) },
    zone,
    today: { ...used, resetsAt: resetsAt.toISOString() },
  }
}
