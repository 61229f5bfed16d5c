import type { MetaFunction } from '@remix-run/react'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/server-runtime'
import { Server } from 'lucide-react'
import { z } from 'zod'
import { systemDecision } from '../../server/contract/forms/systems.ts'
import { readPageAsk } from '../../server/contract/portal/paging.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import { chooseScopes, describeScopes } from '../../server/contract/smart/scope-labels.ts'
import type { SystemAuthorization } from '../../server/domain/system-authorizations/system-authorization-types.ts'
import { Refusal } from '../components/ui/action-form.tsx'
import { Banner } from '../components/ui/banner.tsx'
import { EmptyState } from '../components/ui/empty-state.tsx'
import { ListSearch, Pager } from '../components/ui/list-tools.tsx'
import { PageHeader } from '../components/ui/page-header.tsx'
import { findStepUp } from '../lib/step-up.server.ts'
import { runAction } from '../lib/submission.server.ts'
import { actorOf, getSession, page } from '../services.server.ts'
import { toLines } from '../shared/consent/consent-view.ts'
import { SystemCard } from '../shared/consent/system-card.tsx'
import { ConsoleFrame } from '../shared/frames/console-frame.tsx'

export const meta: MetaFunction = () => [{ title: 'Backend systems · Sandpiper' }]

const boxesMax = 200

/** The practices where the reader decides. */
async function getDeciding(args: LoaderFunctionArgs | ActionFunctionArgs) {
  const session = await getSession(args, 'practice')
  const practices = await args.context.services.practicePeople.listForAccount(session.accountId)
  return {
    session,
    actor: actorOf(args, session),
    deciding: practices.filter(({ roles }) => roles.some((role) => role !== 'clinician')),
  }
}

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { session, actor, deciding } = await getDeciding(args)
  const { backendAuthorizations } = args.context.services
  const query = new URL(args.request.url).searchParams
  return {
    account: { name: session.account.name, email: session.account.email },
    stepUp: findStepUp(args, session),
    q: readPageAsk(query).q,
    practices: await Promise.all(
      deciding.map(async ({ id, slug, name }) => {
        const ask = readPageAsk(query, { q: 'q', page: `${slug}-page` })
        const listed = await backendAuthorizations.pageForPractice(id, ask, actor)
        return { slug, name, listed: { ...listed, rows: listed.rows.map(toView) } }
      }),
    ),
  }
})

function toView({ id, version, state, client, scopes, ...system }: SystemAuthorization) {
  const { purpose, requestedAt, decidedAt, decidedBy, reason, lastUsedAt } = system
  const described = { id, version, state, lines: toLines(describeScopes(scopes, 'other').lines) }
  return { ...described, client, purpose, requestedAt, decidedAt, decidedBy, reason, lastUsedAt }
}

export const action = page(async (args: ActionFunctionArgs) => {
  const { actor, deciding } = await getDeciding(args)
  const { backendAuthorizations } = args.context.services
  const find = async (id: string) => {
    const systems = await Promise.all(
      deciding.map((practice) => backendAuthorizations.listForPractice(practice.id, actor)),
    )
    const found = systems.flat().find((system) => system.id === id)
    if (!found) throw data(null, { status: 404 })
    return found
  }
  return runAction(
    args,
    stepForms,
    {
      grant: async ({ type: types, pick: picks, ...input }) => {
        const { scopes } = await find(input.id)
        const chosen = chooseScopes(scopes, { types, picks, lasting: true })
        await backendAuthorizations.grant({ ...input, scopes: chosen }, actor)
      },
      decline: async (input) => {
        await find(input.id)
        await backendAuthorizations.decline(input, actor)
      },
      revoke: async (input) => {
        await find(input.id)
        await backendAuthorizations.revoke(input, actor)
      },
    },
    { to: (intent) => ({ path: paths.practiceSystems, done: doneByIntent[intent] }), fieldsMax: boxesMax },
  )
})

const [grant, decline, revoke] = systemDecision.options
const stepForms = {
  grant: grant.extend({ type: z.array(z.string()), pick: z.array(z.string()) }),
  decline,
  revoke,
}
const doneByIntent = {
  grant: 'system_granted',
  decline: 'system_declined',
  revoke: 'system_revoked',
} as const

export default function Systems() {
  const { account, q, practices, stepUp } = useLoaderData<typeof loader>()
  const wrong = useActionData<typeof action>()?.wrong
  const waiting = practices.reduce((sum, { listed }) => sum + listed.waiting, 0)
  return (
    <ConsoleFrame account={account} realm="practice">
      <PageHeader title="Backend systems">
        Programs that read without a person at the keyboard. Nothing is read before you grant it; after you
        revoke it, the next request is refused.
      </PageHeader>
      <Refusal />
      {!wrong && waiting > 0 && (
        <Banner
          tone="turn"
          who="Your turn."
          title={waiting === 1 ? 'One system asks.' : `${waiting} systems ask.`}
        >
          Grant it, or decline with a reason that its developer can work with. Until then it reads nothing.
          {stepUp && (
            <>
              {' '}
              To grant, <Link to={stepUp}>confirm first that it is you</Link>.
            </>
          )}
        </Banner>
      )}
      {practices.length === 0 && (
        <EmptyState icon={Server} title="You decide at no practice">
          Admins and signatories of a practice see here which systems ask for its data.
        </EmptyState>
      )}
      {(q !== '' || practices.some(({ listed }) => listed.pages > 1)) && (
        <ListSearch label="System or organization" q={q} />
      )}
      {practices.map(({ slug, name, listed }) => (
        <section key={slug} className="stack" aria-label={name}>
          <h2 className={practices.length > 1 ? undefined : 'sr'}>{name}</h2>
          {listed.total === 0 && q !== '' ? (
            <p className="muted">No system matches “{q}”.</p>
          ) : listed.total === 0 ? (
            <EmptyState icon={Server} title="No system asked yet">
              A developer asks for {name}’s data from the page of their app. The request lands here, with what
              it is for.
            </EmptyState>
          ) : (
            listed.rows.map((system) => <SystemCard key={system.id} system={system} />)
          )}
          <Pager label={`systems of ${name}`} listed={listed} name={`${slug}-page`} />
        </section>
      ))}
    </ConsoleFrame>
  )
}
