import type { Core } from '../core.ts'
import { readForm } from './stored-form.ts'

/** Registrations of apps, and requests for limits or terms: the functions for developers and for jobs. */
export { sendDigest } from '../review-clocks/digest.ts'
export { changeDetails, requestChange, requestOther } from './changes.ts'
export { createApp, lint, saveDraft } from './drafts.ts'
export { tick } from './due.ts'
export { enable } from './enablement.ts'
export { get, list, listApps, open } from './read-registration.ts'
export { serviceFigures } from './registration-reviews.ts'
export { answer, appeal, reopen, resubmit, submit, withdraw } from './submissions.ts'

/** The registration of a client; null for a client that was registered without a request. */
export async function findIdOf({ prisma }: Core, clientId: string): Promise<string | null> {
  const row = await prisma.registration.findFirst({
    where: { OR: [{ productionClientId: clientId }, { sandboxClientId: clientId }] },
    select: { id: true },
    orderBy: { createdAt: 'asc' },
  })
  return row?.id ?? null
}

// The parts of a registration that the consent page may show.
export async function consentFacts({ prisma }: Core, clientId: string) {
  const row = await prisma.registration.findFirst({
    where: { OR: [{ productionClientId: clientId }, { sandboxClientId: clientId }] },
    select: { id: true, form: true, servingNumber: true, productionClientId: true },
  })
  if (!row) return { privacyUrl: null, reviewedAt: null }
  if (row.productionClientId !== clientId || row.servingNumber === null)
    return { privacyUrl: readForm(row.form).privacyUrl || null, reviewedAt: null }
  const [served, approval] = await Promise.all([
    prisma.registrationVersion.findUniqueOrThrow({
      where: { registrationId_number: { registrationId: row.id, number: row.servingNumber } },
    }),
    prisma.registrationEvent.findFirst({
      where: {
        event: 'approve',
        registration: { OR: [{ id: row.id }, { parentId: row.id, kind: 'change', state: 'enabled' }] },
      },
      orderBy: { at: 'desc' },
    }),
  ])
  return {
    /** From the reviewed form. */
    privacyUrl: readForm(served.form).privacyUrl || null,
    /** When a reviewer last approved the app or a change of it. */
    reviewedAt: approval?.at ?? null,
  }
}
