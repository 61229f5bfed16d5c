/** Sign-in of a practice: its page, the sessions behind it, and the mail that carries links for passwords. */
import { paths } from '../../contract/portal/paths.ts'
import { realms } from '../../contract/portal/realms.ts'
import type { Mail } from '../../mail/mail.ts'
import { type HttpProbe, slowMs } from './http-probe.ts'
import { type Finding, found, type Look, worstOf } from './probe.ts'

type Dependencies = { base: string; httpProbe: HttpProbe; mail: Pick<Mail, 'check'> }

/** Of the form of a session's, and nobody's: it is looked up in the database as any visitor's is. */
const nobodysSession = 'a'.repeat(52)
const mailMs = 5_000

export function createSignInProbe({ base, httpProbe, mail }: Dependencies): Look {
  const { cookie } = realms.practice

  async function page(): Promise<Finding> {
    const { status, milliseconds } = await httpProbe(`${base}${paths.practiceSignIn}`, {
      headers: {
        accept: 'text/html',
        cookie: `__Host-${cookie}=${nobodysSession}; ${cookie}=${nobodysSession}`,
      },
    })
    if (status !== 200) return found('down', 'Sign-in does not answer.')
    return milliseconds > slowMs
      ? found('degraded', 'Sign-in answers slowly.')
      : found('operational', 'Sign-in answers.')
  }

  async function links(): Promise<Finding> {
    try {
      await Promise.race([mail.check(), late()])
      return found('operational', 'Mail leaves.')
    } catch {
      return found('degraded', 'Sign-in answers. Mail is held up: links for passwords and keys arrive late.')
    }
  }

  return async () => worstOf(...(await Promise.all([page(), links()])))
}

function late(): Promise<never> {
  return new Promise((_, reject) => setTimeout(() => reject(new Error('late')), mailMs).unref())
}
