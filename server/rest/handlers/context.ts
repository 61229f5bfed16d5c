import { windowTable } from '../../contract/http/limits.ts'
import type { Handler } from '../handler-types.ts'

/** Asks the database in any case: the answer is about the key itself. */
export const getContext: Handler<'getContext'> = async ({ refresh }) => {
  const { practice, ...key } = await refresh()
  const body = {
    practice: { id: practice.slug, name: practice.name, environment: key.environment },
    principal: {
      kind: key.kind,
      keyPrefix: key.keyPrefix,
      keyName: key.keyName,
      level: key.level,
      expiresAt: key.expiresAt.toISOString(),
    },
    limits: { key: ratesOf('restKey', key.limits), practice: ratesOf('restPractice') },
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
