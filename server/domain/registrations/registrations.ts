import type { Core } from '../core.ts'
import { readForm } from './stored-form.ts'

/** Registrations of apps, and what else goes through their table: what developers and time do. */
export { sendDigest } from '../review-clocks/digest.ts'
export { changeDetails, requestChange, requestOther } from './changes.ts'
export { createApp, lint, saveDraft } from './drafts.ts'
export { tick } from './due.ts'
export { enable } from './enablement.ts'
export { get, list, listApps, open } from './read-registration.ts'
export { serviceFigures } from './registration-reviews.ts'
export { answer, appeal, reopen, resubmit, submit, withdraw } from './submissions.ts'

/** The registration that an app was made by, or is reviewed in; null for one that a button registered. */
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
    /** Of the reviewed form, or for a sandbox app of the form as it is. */
    privacyUrl: readForm(served.form).privacyUrl || null,
    /** When a reviewer last approved it, or a change of it; null for sandbox and sample apps. */
    reviewedAt: approval?.at ?? null,
  }
}
