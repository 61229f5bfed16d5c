/** The pages of an agreement: the same for both sides, each in its own realm. */
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/server-runtime'
import { agreementForms, type SigningSide } from '../server/contract/agreements.ts'
import { paths } from '../server/contract/paths.ts'
import { isProblem } from '../server/contract/problems.ts'
import type { Actor } from '../server/domain/actor.ts'
import type { AgreementPage } from '../server/domain/agreements/read-agreements.ts'
import { type Done, doneCookie } from './flash.ts'
import { markdownToHtml } from './markdown.server.ts'
import { getOrganization } from './organization.server.ts'
import { actorOf, getSession, type PortalSession, page } from './services.server.ts'
import { findStepUp } from './step-up.server.ts'
import { readFields } from './submission.server.ts'

export type AgreementRealm = 'developer' | 'practice'
type Args = LoaderFunctionArgs | ActionFunctionArgs

interface AgreementPlace {
  session: PortalSession
  actor: Actor
  agreement: AgreementPage
  /** The address of its page. */
  self: string
}

/** @throws a 404 page for whoever belongs to neither side, and for another organization's address of it */
export async function getAgreement(args: Args, realm: AgreementRealm): Promise<AgreementPlace> {
  const { agreements } = args.context.services
  const id = args.params.agreement ?? ''
  if (realm === 'developer') {
    const { session, actor, organization } = await getOrganization(args)
    const agreement = await agreements.read(id, actor)
    if (agreement.organization.id !== organization.id) throw data(null, { status: 404 })
    return { session, actor, agreement, self: paths.agreement(organization.slug, id) }
  }
  const session = await getSession(args, 'practice')
  const actor = actorOf(args, session)
  return { session, actor, agreement: await agreements.read(id, actor), self: paths.practiceAgreement(id) }
}

export function agreementLoader(realm: AgreementRealm) {
  return page(async (args: LoaderFunctionArgs) => {
    const { session, agreement, self } = await getAgreement(args, realm)
    const { services } = args.context
    const policy = services.agreementTexts.get('usage-policy')
    return {
      account: { name: session.account.name, email: session.account.email },
      ...toView(agreement),
      self,
      policy:
        agreement.kind === 'usage_agreement' ? { version: policy.version, sha256: policy.sha256 } : null,
      now: services.clock(),
      stepUp: findStepUp(args, session),
      idempotencyKey: crypto.randomUUID(),
    }
  })
}

/** Everything that the page shows, and nothing else: no address, no browser, no account of anybody. */
function toView(agreement: AgreementPage) {
  const { offered, executed } = agreement
  return {
    id: agreement.id,
    kind: agreement.kind,
    state: agreement.state,
    version: agreement.version,
    number: agreement.number,
    rejected: agreement.rejected,
    organizationName: agreement.organization.name,
    practiceName: agreement.practice?.name ?? null,
    level: agreement.level,
    dataClasses: agreement.dataClasses,
    purposes: agreement.purposes,
    you: agreement.you,
    waitsFor: agreement.waitsFor,
    createdAt: agreement.createdAt,
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
      source: offered.source,
      sha256: offered.sha256,
      fileName: offered.fileName,
      comment: offered.comment,
      clauses: offered.clauses,
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

/** Below the page's own heading. */
function demoted(markdown: string): string {
  return markdown.replace(/^(#+) /gm, '#$1 ')
}

export interface AgreementAnswer {
  wrong: string
  intent: string
  field: string | null
  values: Record<string, string>
}

export function agreementAction(realm: AgreementRealm) {
  return page(async (args: ActionFunctionArgs) => {
    const { session, actor, agreement, self } = await getAgreement(args, realm)
    const fields = await readFields(args.request)
    const values = Object.fromEntries(
      [...fields].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    )
    const intent = values.intent ?? ''
    const refuse = (wrong: string, status: number, field: string | null = null) =>
      data<AgreementAnswer>({ wrong, intent, field, values }, { status })
    const go = (done: Done, to = self) => redirect(to, { headers: { 'set-cookie': doneCookie(done) } })
    try {
      const done = await act(args.context.services.agreements, {
        intent,
        values,
        actor,
        agreementId: agreement.id,
      })
      if (done.kind === 'invalid') return refuse(done.message, 400, done.field)
      if (done.kind === 'changed') return refuse(done.message, 409)
      const to = done.agreementId === undefined ? self : self.replace(agreement.id, done.agreementId)
      return go(done.done, to)
    } catch (thrown) {
      if (!isProblem(thrown)) throw thrown
      const stepUp = thrown.field === 'stepUp' ? findStepUp(args, session) : null
      if (stepUp !== null) throw redirect(stepUp)
      if (![400, 403, 409].includes(thrown.status)) throw thrown
      return refuse(thrown.message, thrown.status, thrown.field ?? null)
    }
  })
}

type Acted =
  | { kind: 'done'; done: Done; agreementId?: string }
  | { kind: 'invalid'; message: string; field: string | null }
  | { kind: 'changed'; message: string }
type Agreements = Args['context']['services']['agreements']

async function act(
  agreements: Agreements,
  of: { intent: string; values: Record<string, string>; actor: Actor; agreementId: string },
): Promise<Acted> {
  const { intent, values, actor, agreementId } = of
  const parsed = Object.hasOwn(agreementForms, intent)
    ? agreementForms[intent as keyof typeof agreementForms].safeParse(values)
    : null
  if (!parsed) return { kind: 'invalid', message: 'The form did not arrive whole.', field: null }
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return {
      kind: 'invalid',
      message: issue?.message ?? 'A field needs a change.',
      field: String(issue?.path[0] ?? ''),
    }
  }
  const input = { agreementId, ...parsed.data } as never
  switch (intent) {
    case 'sign': {
      const outcome = await agreements.sign(input, actor)
      if (outcome.kind === 'changed') return outcome
      return { kind: 'done', done: outcome.executed ? 'agreement_executed' : 'agreement_signed' }
    }
    case 'reject':
      await agreements.reject(input, actor)
      return { kind: 'done', done: 'agreement_rejected' }
    case 'nameSignatory':
      await agreements.nameSignatory(input, actor)
      return { kind: 'done', done: 'agreement_signatory_named' }
    case 'withdraw':
      await agreements.withdraw(input, actor)
      return { kind: 'done', done: 'agreement_withdrawn' }
    case 'resume':
      await agreements.resume(input, actor)
      return { kind: 'done', done: 'agreement_resumed' }
    case 'renew': {
      const made = await agreements.amend(input, 'renew', { actor })
      return { kind: 'done', done: 'agreement_renewed', agreementId: made.agreementId }
    }
    case 'terminate': {
      const { effectiveOn } = parsed.data as unknown as { effectiveOn: string }
      await agreements.terminate({ ...(input as object), effectiveOn: effectiveOn || null } as never, actor)
      return { kind: 'done', done: effectiveOn ? 'agreement_notice' : 'agreement_ended' }
    }
    case 'attest':
      await agreements.attest(input, actor)
      return { kind: 'done', done: 'return_attested' }
    default:
      return { kind: 'invalid', message: 'The form did not arrive whole.', field: null }
  }
}

/** A version's bytes, or the executed document: never shown inside our pages, always saved. */
export function agreementFileLoader(realm: AgreementRealm) {
  return page(async (args: LoaderFunctionArgs) => {
    const { actor, agreement } = await getAgreement(args, realm)
    const { file = '' } = args.params
    if (file !== 'executed' && !/^\d{1,4}$/.test(file)) throw data(null, { status: 404 })
    const found = await args.context.services.agreements.readFile(
      agreement.id,
      file === 'executed' ? 'executed' : Number(file),
      actor,
    )
    return pdfAnswer(found)
  })
}

export function pdfAnswer({ fileName, bytes }: { fileName: string; bytes: Uint8Array }): Response {
  return new Response(Buffer.from(bytes), {
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${fileName}"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
  })
}
