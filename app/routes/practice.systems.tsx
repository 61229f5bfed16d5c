import type { MetaFunction } from '@remix-run/react'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/server-runtime'
import { Server } from 'lucide-react'
import { systemDecision } from '../../server/contract/forms-systems.ts'
import { paths } from '../../server/contract/paths.ts'
import { isProblem } from '../../server/contract/problems.ts'
import { chooseScopes, describeScopes } from '../../server/contract/scope-words.ts'
import type { SystemAuthorization } from '../../server/domain/system-authorizations/system-authorization-types.ts'
import { toLines } from '../authorize-view.ts'
import { SystemCard } from '../components/authorize/system-card.tsx'
import { ConsoleFrame } from '../components/frames/console-frame.tsx'
import { Banner } from '../components/ui/banner.tsx'
import { Empty } from '../components/ui/empty.tsx'
import { PageHead } from '../components/ui/page-head.tsx'
import { doneCookie } from '../flash.ts'
import { actorOf, getSession, page } from '../services.server.ts'
import { findStepUp } from '../step-up.server.ts'
import { readFields } from '../submission.server.ts'

export const meta: MetaFunction = () => [{ title: 'Backend systems · Sandpiper' }]

const boxesMax = 200

/** At every practice where the reader decides. */
async function listSystems(args: LoaderFunctionArgs | ActionFunctionArgs) {
  const session = await getSession(args, 'practice')
  const { practicePeople, backendAuthorizations } = args.context.services
  const actor = actorOf(args, session)
  const practices = await practicePeople.listForAccount(session.accountId)
  const deciding = practices.filter(({ roles }) => roles.some((role) => role !== 'clinician'))
  const lists = await Promise.all(
    deciding.map(async ({ id, name }) => ({
      name,
      systems: await backendAuthorizations.listForPractice(id, actor),
    })),
  )
  return { session, actor, lists }
}

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { session, lists } = await listSystems(args)
  return {
    account: { name: session.account.name, email: session.account.email },
    stepUp: findStepUp(args, session),
    practices: lists.map(({ name, systems }) => ({ name, systems: systems.map(toView) })),
  }
})

function toView({ id, version, state, client, scopes, ...system }: SystemAuthorization) {
  const { purpose, requestedAt, decidedAt, decidedBy, reason, lastUsedAt } = system
  const described = { id, version, state, lines: toLines(describeScopes(scopes, 'other').lines) }
  return { ...described, client, purpose, requestedAt, decidedAt, decidedBy, reason, lastUsedAt }
}

export const action = page(async (args: ActionFunctionArgs) => {
  const { actor, lists } = await listSystems(args)
  const { backendAuthorizations } = args.context.services
  const fields = await readFields(args.request, boxesMax)
  const parsed = systemDecision.safeParse(Object.fromEntries(fields))
  if (!parsed.success) {
    const said = parsed.error.issues.find(({ path }) => path[0] === 'reason')?.message
    return data({ wrong: said ?? 'The form did not arrive whole.' }, { status: 400 })
  }
  const decision = parsed.data
  const found = lists.flatMap(({ systems }) => systems).find(({ id }) => id === decision.id)
  if (!found) throw data(null, { status: 404 })
  try {
    if (decision.intent === 'grant') {
      const types = fields.getAll('type').map(String)
      const picks = fields.getAll('pick').map(String)
      const scopes = chooseScopes(found.scopes, { types, picks, lasting: true })
      await backendAuthorizations.grant({ ...decision, scopes }, actor)
    } else await backendAuthorizations[decision.intent](decision, actor)
  } catch (thrown) {
    if (!isProblem(thrown) || (thrown.status !== 400 && thrown.status !== 409)) throw thrown
    return data({ wrong: thrown.message }, { status: thrown.status })
  }
  const done = { grant: 'system_granted', decline: 'system_declined', revoke: 'system_revoked' } as const
  return redirect(paths.practiceSystems, { headers: { 'set-cookie': doneCookie(done[decision.intent]) } })
})

export default function Systems() {
  const { account, practices, stepUp } = useLoaderData<typeof loader>()
  const wrong = useActionData<typeof action>()?.wrong
  const waiting = practices
    .flatMap(({ systems }) => systems)
    .filter(({ state }) => state === 'requested').length
  return (
    <ConsoleFrame account={account} realm="practice">
      <PageHead title="Backend systems">
        Programs that read without a person at the keyboard. Nothing is read before you grant it; after you
        revoke it, the next request is refused.
      </PageHead>
      {wrong && <Banner tone="bad" title={wrong} />}
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
        <Empty icon={Server} title="You decide at no practice">
          Admins and signatories of a practice see here which systems ask for its data.
        </Empty>
      )}
      {practices.map(({ name, systems }) => (
        <section key={name} className="stack" aria-label={name}>
          <h2 className={practices.length > 1 ? undefined : 'sr'}>{name}</h2>
          {systems.length === 0 ? (
            <Empty icon={Server} title="No system asked yet">
              A developer asks for {name}’s data from the page of their app. The request lands here, with what
              it is for.
            </Empty>
          ) : (
            systems.map((system) => <SystemCard key={system.id} system={system} />)
          )}
        </section>
      ))}
    </ConsoleFrame>
  )
}
