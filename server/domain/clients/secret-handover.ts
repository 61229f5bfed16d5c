/**
 * A new client secret on its way from the form that made it to the page that shows it. It travels sealed in a cookie of
 * the person who made it, never in a URL, and opens once: the first page takes it and marks the secret as shown.
 */
import type { Core } from '../core.ts'
import { secretContext } from './client-secrets.ts'

/** From the answer of the form to the page it leads to. */
export const handoverSeconds = 120

type HandedOver = Readonly<{ clientId: string; secret: string }>

export function seal({ clock, keyring }: Core, handed: HandedOver, { accountId }: { accountId: string }) {
  const endsAt = clock().getTime() + handoverSeconds * 1_000
  const text = JSON.stringify({ ...handed, endsAt })
  return Buffer.from(keyring.seal(Buffer.from(text), contextOf(accountId))).toString('base64url')
}

/** Null for what was opened before, is too old, was changed, or is another person's or another app's. */
export async function open(
  core: Core,
  sealed: string,
  { accountId, clientId }: { accountId: string; clientId: string },
): Promise<HandedOver | null> {
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
