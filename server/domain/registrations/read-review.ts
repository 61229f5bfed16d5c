/** A registration for reviewers: with its organization, and the changes since their last look. */

import type { Registration } from '../../../prisma/generated/client/client.ts'
import { checksOf } from '../../contract/workflows/registration-checks.ts'
import {
  diffRegistrations,
  type RegistrationForm,
  registrationFields,
} from '../../contract/workflows/registration-form.ts'
import type { RegistrationKind, RegistrationState } from '../../contract/workflows/registration-workflow.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { findOrganizationParty } from '../organizations/membership.ts'
import { findConflict, type Proposal } from '../review-queue/assignee.ts'
import { requireStaff } from '../staff.ts'
import * as linter from './lint/linter.ts'
import { find, type RegistrationView, toView } from './read-registration.ts'

export type ReviewView = Awaited<ReturnType<typeof getReview>>

/** @param parts `withReport: false` leaves out the linter, which opens the app's addresses */
export async function getReview(
  core: Core,
  registrationId: string,
  actor: Pick<Actor, 'accountId'>,
  { withReport = true }: Readonly<{ withReport?: boolean }> = {},
) {
  const { prisma } = core
  const { email } = await requireStaff(prisma, actor, ['reviewer', 'ops'])
  const row = await find(core, registrationId)
  const party = await findOrganizationParty(prisma, row, actor)
  const view = await toView(core, row, { kind: party.kind, forStaff: true })
  const form = view.submitted ?? view.form
  const hasForm = view.kind === 'app' || view.kind === 'change'
  const [conflict, organization, report] = await Promise.all([
    findConflict(prisma, row, { accountId: actor.accountId, email }),
    findOrganization(core, row),
    hasForm && withReport
      ? linter.lint(core, form)
      : { findings: [], passed: [], unopened: [], complete: true },
  ])
  const proposal = row.proposal as unknown as Proposal | null
  return {
    ...view,
    claimedBy: row.claimedBy?.name ?? null,
    /** Whether the reader has claimed it. One that is only assigned must be claimed first. */
    mine: row.state === 'in_review' && row.claimedById === actor.accountId,
    assignedToReader: row.claimedById === actor.accountId,
    /** Why the reader may not decide on it: it is their own organization's, or they decided on it before an appeal. */
    conflict,
    organization,
    report,
    ...compare(view, row, form),
    checks: checksOf(row.kind as RegistrationKind),
    /** A rejection that another reviewer has to confirm. */
    proposal: proposal && {
      by: proposal.byName,
      own: proposal.byId === actor.accountId,
      codes: proposal.codes,
      text: proposal.text,
      at: new Date(proposal.at),
    },
    notes: row.notes.map(({ at, by, text }) => ({ at, by: by.name, text })),
  }
}

/** Compares the submitted form with the version that reviewers saw before. */
function compare(
  view: RegistrationView,
  { submittedNumber, requested }: Pick<Registration, 'submittedNumber' | 'requested'>,
  form: RegistrationForm,
) {
  const before = versionBefore(view, submittedNumber, requested as { replaces?: number | null } | null)
  return {
    /** Null for the first version: reviewers have seen none before. */
    comparedWith: before && { kind: before.kind, number: before.number, at: before.at },
    changes: before ? diffRegistrations(before.form, form) : [],
    fieldsCompared: registrationFields.length,
  }
}

/** The version that reviewers saw at their last questions; for a change without questions, the one in production. */
type Before = Readonly<{
  kind: 'asked' | 'serving'
  number: number
  /** When it was submitted; null for the version in production. */
  at: Date | null
  form: RegistrationForm
}>

/** The version at the last questions that an answer followed. */
function versionBefore(
  { versions, items, replaces, kind }: RegistrationView,
  submittedNumber: number | null,
  requested: { replaces?: number | null } | null,
): Before | null {
  const rounds = [...new Set(items.map(({ askedAt }) => askedAt.getTime()))].sort((one, other) => other - one)
  for (const askedAt of rounds) {
    const seen = versions.filter(({ at }) => at.getTime() <= askedAt).at(-1)
    if (seen && seen.number !== submittedNumber) return { kind: 'asked', ...seen }
  }
  if (kind !== 'change' || replaces === null) return null
  return { kind: 'serving', number: requested?.replaces ?? 0, at: null, form: replaces }
}

async function findOrganization({ prisma }: Core, row: Registration) {
  const found = await prisma.organization.findUniqueOrThrow({
    where: { id: row.organizationId },
    include: {
      _count: { select: { members: true } },
      domains: { where: { verifiedAt: { not: null } }, orderBy: { domain: 'asc' } },
      registrations: {
        where: { id: { not: row.id }, state: { not: 'draft' } },
        orderBy: { updatedAt: 'desc' },
        take: 20,
      },
    },
  })
  return {
    name: found.name,
    createdAt: found.createdAt,
    members: found._count.members,
    verifiedDomains: found.domains.map(({ domain }) => domain),
    earlier: found.registrations.map(({ id, name, state, updatedAt }) => ({
      id,
      name,
      state: state as RegistrationState,
      updatedAt,
    })),
  }
}
