/** Sign-in of a practice: its page, the sessions behind it, and the mail that carries links for passwords. */
import { paths } from '../../contract/portal/paths.ts'
import { realms } from '../../contract/portal/realms.ts'
import type { Core } from '../../domain/core.ts'
import { httpProbe, reached, slowMs } from './http-probe.ts'
import { type Finding, found, worstOf } from './probe.ts'

/** Of the form of a session's, and nobody's: it is looked up in the database as any visitor's is. */
const nobodysSession = 'a'.repeat(52)
const mailMs = 5_000

export async function lookAtSignIn(core: Core): Promise<Finding> {
  return worstOf(...(await Promise.all([page(core), links(core)])))
}

async function page(core: Core): Promise<Finding> {
  const { cookie } = realms.practice
  const { status, milliseconds } = await httpProbe(
    core,
    `${reached(core, core.env.PUBLIC_ORIGIN)}${paths.practiceSignIn}`,
    {
      headers: {
        accept: 'text/html',
        cookie: `__Host-${cookie}=${nobodysSession}; ${cookie}=${nobodysSession}`,
      },
    },
  )
  if (status !== 200) return found('down', 'Sign-in is not responding.')
  return milliseconds > slowMs
    ? found('degraded', 'Sign-in is slow.')
    : found('operational', 'Sign-in works.')
}

async function links({ mail }: Core): Promise<Finding> {
  try {
    await Promise.race([mail.check(), late()])
    return found('operational', 'Emails are sent.')
  } catch {
    return found(
      'degraded',
      'Sign-in works. Emails are delayed, so links for passwords and keys arrive late.',
    )
  }
}

function late(): Promise<never> {
  return new Promise((_, reject) => setTimeout(() => reject(new Error('late')), mailMs).unref())
}
