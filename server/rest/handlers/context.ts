import { windowTable } from '../../contract/limits.ts'
import type { Handler } from '../handlers.ts'

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
    limits: { key: ratesOf('restKey'), practice: ratesOf('restPractice') },
  }
  return { body, count: 0, patientId: null }
}

function ratesOf(window: 'restKey' | 'restPractice') {
  const [burst, sustained] = windowTable[window].windows
  return { perSecond: burst.requests, perMinute: sustained.requests }
}
