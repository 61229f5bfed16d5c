import type { MetaFunction } from '@remix-run/react'
import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/server-runtime'
import { FileText } from 'lucide-react'
import { agreementForms, serviceParty, signatureStatements } from '../../server/contract/agreements.ts'
import { readPageAsk } from '../../server/contract/paging.ts'
import { paths } from '../../server/contract/paths.ts'
import { isProblem } from '../../server/contract/problems.ts'
import { ConsoleFrame } from '../components/frames/console-frame.tsx'
import { TextField, Tick } from '../components/records/agreement-acts.tsx'
import { Hash } from '../components/records/agreement-view.tsx'
import { StandingAgreements } from '../components/records/standing-agreements.tsx'
import { Banner } from '../components/ui/banner.tsx'
import { LinkButton, SubmitButton } from '../components/ui/button.tsx'
import { Empty } from '../components/ui/empty.tsx'
import { ListSearch, Pager } from '../components/ui/list-tools.tsx'
import { Moment } from '../components/ui/moment.tsx'
import { PageHead } from '../components/ui/page-head.tsx'
import { doneCookie } from '../flash.ts'
import { markdownToHtml } from '../markdown.server.ts'
import { actorOf, getSession, type PortalSession, page } from '../services.server.ts'
import { findStepUp } from '../step-up.server.ts'
import { readFields } from '../submission.server.ts'

export const meta: MetaFunction = () => [{ title: 'Agreements · Sandpiper' }]

export const loader = page(async (args: LoaderFunctionArgs) => {
  const session = await getSession(args, 'staff')
  if (session.account.staffRole !== 'ops') throw data(null, { status: 404 })
  const { agreements } = args.context.services
  const actor = actorOf(args, session)
  const query = new URL(args.request.url).searchParams
  const waiting = await agreements.listForCounterSignature(
    readPageAsk(query, { q: 'q', page: 'unsigned-page' }),
  )
  const standing = await agreements.listForOperations(actor, readPageAsk(query))
  return {
    account: { name: session.account.name, email: session.account.email },
    stepUp: findStepUp(args, session),
    q: standing.q,
    standing: {
      ...standing,
      rows: standing.rows.map((each) => ({
        id: each.id,
        version: each.version,
        kind: each.kind,
        state: each.state,
        organization: each.organization.name,
        practice: each.practice?.name ?? null,
        endsAt: each.endsAt,
        idempotencyKey: crypto.randomUUID(),
      })),
    },
    waiting: {
      ...waiting,
      rows: await Promise.all(
        waiting.rows.map(async ({ id, version, organization, signed }) => {
          const { offered } = await agreements.read(id, actor)
          const html = markdownToHtml((offered.markdown ?? '').replace(/^(#+) /gm, '##$1 '))
          return {
            id,
            version,
            organization: organization.name,
            signedAt: signed[0]?.at ?? null,
            number: offered.number,
            sha256: offered.sha256,
            html,
            idempotencyKey: crypto.randomUUID(),
          }
        }),
      ),
    },
  }
})

export const action = page(async (args: ActionFunctionArgs) => {
  const session = await getSession(args, 'staff')
  const fields = await readFields(args.request)
  const values = Object.fromEntries(fields)
  if (values.intent !== undefined) return end(args, session, values)
  const parsed = agreementForms.counterSign.safeParse(values)
  if (!parsed.success)
    return data({ wrong: parsed.error.issues[0]?.message ?? 'A field needs a change.' }, { status: 400 })
  try {
    const outcome = await args.context.services.agreements.counterSign(
      { agreementId: String(fields.get('agreement') ?? ''), ...parsed.data },
      actorOf(args, session),
    )
    if (outcome.kind === 'changed') return data({ wrong: outcome.message }, { status: 409 })
  } catch (thrown) {
    return refuse(args, session, thrown)
  }
  return redirect(paths.staffAgreements, { headers: { 'set-cookie': doneCookie('agreement_executed') } })
})

/** Withdraws what is not executed, ends what is: at once, or on a day. */
async function end(args: ActionFunctionArgs, session: PortalSession, values: Record<string, unknown>) {
  const { agreements } = args.context.services
  const actor = actorOf(args, session)
  if (values.intent !== 'withdraw' && values.intent !== 'terminate')
    throw data({ message: 'The form did not arrive whole.' }, { status: 400 })
  const form = values.intent === 'withdraw' ? agreementForms.withdraw : agreementForms.terminate
  const parsed = form.safeParse(values)
  if (!parsed.success)
    return data({ wrong: parsed.error.issues[0]?.message ?? 'A field needs a change.' }, { status: 400 })
  const { version, idempotencyKey, comment } = parsed.data
  const target = { agreementId: String(values.agreement ?? ''), version, idempotencyKey, comment }
  const effectiveOn = (parsed.data as { effectiveOn?: string }).effectiveOn || null
  try {
    if (values.intent === 'withdraw') await agreements.withdraw(target, actor)
    else await agreements.terminate({ ...target, effectiveOn }, actor)
  } catch (thrown) {
    return refuse(args, session, thrown)
  }
  const done =
    values.intent === 'withdraw'
      ? 'agreement_withdrawn'
      : effectiveOn
        ? 'agreement_notice'
        : 'agreement_ended'
  return redirect(paths.staffAgreements, { headers: { 'set-cookie': doneCookie(done) } })
}

function refuse(args: ActionFunctionArgs, session: PortalSession, thrown: unknown) {
  if (!isProblem(thrown) || ![400, 403, 409].includes(thrown.status)) throw thrown
  const stepUp = thrown.field === 'stepUp' ? findStepUp(args, session) : null
  if (stepUp) throw redirect(stepUp)
  return data({ wrong: thrown.message }, { status: thrown.status })
}

export default function CounterSignatures() {
  const { account, stepUp, q, waiting: unsigned, standing } = useLoaderData<typeof loader>()
  const wrong = useActionData<typeof action>()?.wrong
  const waiting = unsigned.rows
  return (
    <ConsoleFrame account={account} realm="staff">
      <PageHead title="Agreements">
        Usage agreements that wait for our signature, and everything that is open or in force.
      </PageHead>
      {wrong && <Banner tone="bad" title={wrong} />}
      {(q !== '' || unsigned.pages > 1 || standing.pages > 1) && (
        <ListSearch label="Organization or practice" q={q} />
      )}
      {q !== '' && unsigned.total + standing.total === 0 && (
        <p className="muted">No agreement matches “{q}”.</p>
      )}
      {q === '' && waiting.length === 0 && (
        <Empty icon={FileText} title="Nothing waits for our signature">
          Where the policy counter-signs at once, nothing ever does.
        </Empty>
      )}
      {waiting.map((each) => (
        <section className="card" key={each.id} aria-labelledby={each.id}>
          <div className="head">
            <h2 id={each.id}>{each.organization}</h2>
            {each.signedAt && (
              <p className="small muted">
                Signed <Moment at={each.signedAt} />
              </p>
            )}
          </div>
          <details className="pad">
            <summary>Read the document</summary>
            {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own text; its fields are escaped by merge-text.ts, its HTML by markdown.server.ts */}
            <article className="prose agreement mt-3" dangerouslySetInnerHTML={{ __html: each.html }} />
          </details>
          <Form method="post" className="pad stack border-t border-line">
            <input type="hidden" name="agreement" value={each.id} />
            <input type="hidden" name="version" value={each.version} />
            <input type="hidden" name="number" value={each.number} />
            <input type="hidden" name="sha256" value={each.sha256} />
            <input type="hidden" name="idempotencyKey" value={each.idempotencyKey} />
            <Hash label="SHA-256 of what is signed" value={each.sha256} />
            <TextField
              name="legalName"
              label={`Your legal name, for ${serviceParty.legalName}`}
              value={undefined}
              answer={undefined}
            />
            <TextField name="title" label="Your title" value={undefined} answer={undefined} />
            <Tick name="authority" kept={undefined}>
              {signatureStatements.authority}
            </Tick>
            <Tick name="consent" kept={undefined}>
              {signatureStatements.consent}
            </Tick>
            <div>
              {stepUp ? (
                <LinkButton to={stepUp} look="primary">
                  Confirm that it is you, to sign
                </LinkButton>
              ) : (
                <SubmitButton busy="Signing">Counter-sign</SubmitButton>
              )}
            </div>
          </Form>
        </section>
      ))}
      <Pager label="agreements to sign" listed={unsigned} name="unsigned-page" />
      <StandingAgreements standing={standing.rows} stepUp={stepUp} />
      <Pager label="agreements" listed={standing} />
    </ConsoleFrame>
  )
}
