/** The page of an agreement: the same for both sides, each in its own realm. */
import { data } from '@remix-run/server-runtime'
import { agreementForms } from '../../server/contract/forms/agreements.ts'
import { Problem } from '../../server/contract/http/problems.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import {
  type AgreementEventName,
  agreementWorkflow,
} from '../../server/contract/workflows/agreement-workflow.ts'
import { type SigningSide, toClausePlaces } from '../../server/contract/workflows/agreements.ts'
import type { Actor } from '../../server/domain/actor.ts'
import type { AgreementPage } from '../../server/domain/agreements/read-agreements.ts'
import type { Done } from '../lib/flash.ts'
import { markdownToHtml } from '../lib/markdown.server.ts'
import { runAction } from '../lib/submission.server.ts'
import {
  actorOf,
  findStepUp,
  getOrganization,
  getSession,
  type PageArgs,
  type PortalSession,
  page,
} from '../services.server.ts'

interface AgreementPlace {
  session: PortalSession
  actor: Actor
  agreement: AgreementPage
  /** The path of the agreement's page. */
  self: string
}

/** @throws a 404 page for people of neither side, and under the URL of another organization */
export async function getAgreement(args: PageArgs): Promise<AgreementPlace> {
  const { agreements } = args.context.services
  const id = args.params.agreement ?? ''
  if (args.params.organization !== undefined) {
    const { session, actor, organization } = await getOrganization(args)
    const agreement = await agreements.read(id, actor)
    if (agreement.organization.id !== organization.id) throw data(null, { status: 404 })
    return { session, actor, agreement, self: paths.agreement(organization.slug, id) }
  }
  const session = await getSession(args, 'practice')
  const actor = actorOf(args, session)
  return { session, actor, agreement: await agreements.read(id, actor), self: paths.practiceAgreement(id) }
}

export const agreementLoader = page(async (args) => {
  const { session, agreement, self } = await getAgreement(args)
  const { services } = args.context
  const policy = services.agreementTexts.get('usage-policy')
  return {
    ...toView(agreement),
    self,
    policy: agreement.kind === 'usage_agreement' ? { version: policy.version, sha256: policy.sha256 } : null,
    now: services.clock(),
    stepUp: findStepUp(args, session),
    idempotencyKey: crypto.randomUUID(),
  }
})

/** Only what the page shows, without addresses, browsers and accounts. */
function toView(agreement: AgreementPage) {
  const { offered, executed } = agreement
  return {
    kind: agreement.kind,
    state: agreement.state,
    version: agreement.version,
    rejected: agreement.rejected,
    organizationName: agreement.organization.name,
    practiceName: agreement.practice?.name ?? null,
    level: agreement.level,
    dataClasses: agreement.dataClasses,
    purposes: agreement.purposes,
    you: agreement.you,
    allowed: allowedEvents(agreement),
    waitsFor: agreement.waitsFor,
    executedAt: agreement.executedAt,
    effectiveAt: agreement.effectiveAt,
    endsAt: agreement.endsAt,
    endedAt: agreement.endedAt,
    endReason: agreement.endReason,
    retainUntil: agreement.retainUntil,
    signatories: agreement.signatories,
    candidates: agreement.candidates,
    signatures: agreement.signatures.map(({ side, legalName, title, at }) => ({
      side: side as SigningSide,
      legalName,
      title,
      at,
    })),
    offered: {
      number: offered.number,
      sha256: offered.sha256,
      comment: offered.comment,
      clausePlaces: toClausePlaces(offered.clausePlaces),
      html: offered.markdown === null ? null : markdownToHtml(demoted(offered.markdown)),
    },
    versions: agreement.versions.map(({ number, createdAt, bySide, comment, sha256, source }) => ({
      number,
      createdAt,
      bySide: bySide as SigningSide | null,
      comment,
      sha256,
      source,
    })),
    executed: executed && { sha256: executed.sha256 },
    task: agreement.task && {
      dueAt: agreement.task.dueAt,
      attestedAt: agreement.task.attestedAt,
      outcome: agreement.task.outcome,
      statement: agreement.task.statement,
      legalName: agreement.task.legalName,
      title: agreement.task.title,
    },
    events: agreement.events.map(({ id, at, event, side, text }) => ({
      id: String(id),
      at,
      event,
      side,
      text,
    })),
  }
}

/** The events that the workflow allows the reader now. */
function allowedEvents({ state, you }: AgreementPage): AgreementEventName[] {
  return agreementWorkflow.rows
    .filter(({ from, actors }) => from === state && (actors as readonly string[]).includes(you.kind))
    .map(({ event }) => event)
}

/** Lowers headings by one level, below the page's heading. */
function demoted(markdown: string): string {
  return markdown.replace(/^(#+) /gm, '#$1 ')
}

export const agreementAction = page(async (args) => {
  const { session, actor, agreement, self } = await getAgreement(args)
  const { agreements } = args.context.services
  const agreementId = agreement.id
  let done: Done | undefined
  let path = self
  return runAction(
    args,
    agreementForms,
    {
      sign: async (input) => {
        const outcome = await agreements.sign({ agreementId, ...input }, actor)
        if (outcome.kind === 'changed') throw new Problem('conflict', { message: outcome.message })
        if (outcome.executed) done = 'agreement_executed'
        // A person who signs several documents continues with the next. Each is read and signed separately.
        const next = outcome.executed ? await agreements.findNextToSign(agreementId, actor) : null
        if (next === null) return
        path = self.replace(agreementId, next)
        done = 'agreement_next'
      },
      reject: (input) => agreements.reject({ agreementId, ...input }, actor),
      nameSignatory: (input) => agreements.nameSignatory({ agreementId, ...input }, actor),
      withdraw: (input) => agreements.withdraw({ agreementId, ...input }, actor),
      resume: (input) => agreements.resume({ agreementId, ...input }, actor),
      renew: async (input) => {
        const renewal = await agreements.amend({ agreementId, ...input }, 'renew', { actor })
        path = self.replace(agreementId, renewal.agreementId)
      },
      terminate: ({ effectiveOn, ...input }) => {
        if (effectiveOn) done = 'agreement_notice'
        return agreements.terminate({ agreementId, ...input, effectiveOn: effectiveOn || null }, actor)
      },
      attest: (input) => agreements.attest({ agreementId, ...input }, actor),
    },
    { to: (intent) => ({ path, done: done ?? doneByIntent[intent] }), session },
  )
})

const doneByIntent: Record<keyof typeof agreementForms, Done> = {
  sign: 'agreement_signed',
  reject: 'agreement_rejected',
  nameSignatory: 'agreement_signatory_named',
  withdraw: 'agreement_withdrawn',
  resume: 'agreement_resumed',
  renew: 'agreement_renewed',
  terminate: 'agreement_ended',
  attest: 'return_attested',
}
