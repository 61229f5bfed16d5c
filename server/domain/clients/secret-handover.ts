/**
 * Carries a new client secret from its form to the page that shows it, in a sealed cookie, never in a URL. The cookie can
 * be opened once, by the same person: the first page marks the secret as shown.
 */
import type { Core } from '../core.ts'
import { secretContext } from './client-secrets.ts'

/** The time from the form's response to the page that it redirects to. */
export const handoverSeconds = 120

type Handover = Readonly<{ clientId: string; secret: string }>

export function seal({ clock, keyring }: Core, handover: Handover, { accountId }: { accountId: string }) {
  const endsAt = clock().getTime() + handoverSeconds * 1_000
  const text = JSON.stringify({ ...handover, endsAt })
  return Buffer.from(keyring.seal(Buffer.from(text), contextOf(accountId))).toString('base64url')
}

/** Null if it was opened before, has expired, was changed, or belongs to another person or app. */
export async function open(
  core: Core,
  sealed: string,
  { accountId, clientId }: { accountId: string; clientId: string },
): Promise<Handover | null> {
  const { clock, prisma, keyring } = core
  const read = tryOpen(core, sealed, accountId)
  if (read === null || read.clientId !== clientId || read.endsAt <= clock().getTime()) return null
  const rows = await prisma.clientSecret.findMany({
    where: { clientId: read.clientId, revokedAt: null, shownAt: null },
  })
  const row = rows.find(({ hash }) => keyring.matchesMac(read.secret, hash, secretContext))
  if (!row) return null
  const { count } = await prisma.clientSecret.updateMany({
    where: { id: row.id, shownAt: null },
    data: { shownAt: clock() },
  })
  return count === 1 ? { clientId: read.clientId, secret: read.secret } : null
}

function tryOpen({ keyring }: Core, sealed: string, accountId: string) {
  const text = keyring.openText(Buffer.from(sealed, 'base64url'), contextOf(accountId))
  return text === null ? null : JSON.parse(text)
}

const contextOf = (accountId: string) => `client secret shown to ${accountId}`
