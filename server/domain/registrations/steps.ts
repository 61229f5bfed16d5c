/** Parts that several steps of a registration share: checks of texts and terms, rounds of questions, form versions. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import type { LintReport } from '../../contract/workflows/lint-findings.ts'
import { reviewTextLength } from '../../contract/workflows/registration-checks.ts'
import type { RegistrationForm } from '../../contract/workflows/registration-form.ts'
import { type Author, checkText } from '../text-scan/check-text.ts'
import { toStored } from './stored-form.ts'

/** @throws Problem `validation` */
export function checkReviewText(field: string, text: string, author: Author): string {
  const words = text.trim()
  const { min, max } = reviewTextLength
  if (words.length < min || words.length > max)
    throw new Problem('validation', {
      field,
      message: `Use ${min} to ${max.toLocaleString('en-US')} characters.`,
    })
  checkText(field, words, author)
  return words
}

export type AcceptedTerms = Readonly<{ version: string; sha256: string }>

/** @throws Problem `validation` unless they are the terms in force */
export function checkTerms(accepted: AcceptedTerms, present: AcceptedTerms): void {
  if (accepted.version !== present.version || accepted.sha256 !== present.sha256)
    throw new Problem('validation', {
      field: 'terms',
      message: 'The terms have changed. Read and accept the current ones.',
    })
}

/** @throws Problem `validation` naming the first field at fault */
export function requireComplete({ complete, findings }: LintReport): void {
  if (complete) return
  const first = findings.find(({ severity }) => severity === 'error')
  throw new Problem('validation', {
    field: first?.field ?? 'form',
    message: first ? `${first.reason} ${first.fix}` : 'The form could not be checked. Try again.',
  })
}

/** @throws Problem `conflict` if another change of the app is open */
export async function refuseOtherOpen(tx: Prisma.TransactionClient, parentId: string | null): Promise<void> {
  if (parentId === null) return
  if (await tx.registration.findUnique({ where: { openForId: parentId }, select: { id: true } }))
    throw new Problem('conflict', { message: 'Another change to this app is open.' })
}

export async function lastRound(tx: Prisma.TransactionClient, registrationId: string): Promise<number> {
  const last = await tx.registrationItem.findFirst({
    where: { registrationId },
    orderBy: { round: 'desc' },
    select: { round: true },
  })
  return last?.round ?? 0
}

/** Stores the form as a new version. @returns its number */
export async function keepVersion(
  tx: Prisma.TransactionClient,
  registrationId: string,
  form: RegistrationForm,
  { by, at }: { by: string; at: Date },
): Promise<number> {
  const last = await tx.registrationVersion.findFirst({
    where: { registrationId },
    orderBy: { number: 'desc' },
    select: { number: true },
  })
  const number = (last?.number ?? 0) + 1
  await tx.registrationVersion.create({
    data: { registrationId, number, form: toStored(form), byId: by, at },
  })
  return number
}

/** A developer who works on the registration is not silent: the reminders start over. */
export function resetSilence({ silentSince }: { silentSince: Date | null }, now: Date) {
  return silentSince === null ? {} : { silentSince: now, reminders: 0 }
}

export const dayMs = 86_400_000
