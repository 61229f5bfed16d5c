/** Loads the steps of the authorize page, and handles its forms. */
import { data, redirect } from '@remix-run/server-runtime'
import { isProblem } from '../../server/contract/http/problems.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import {
  chooseGroups,
  firstChoice,
  type GroupChoice,
  groupScopes,
} from '../../server/contract/smart/consent-groups.ts'
import { chooseScopes, describeScopes } from '../../server/contract/smart/scope-labels.ts'
import { isUnregisteredApp } from '../../server/contract/smart/unregistered-apps.ts'
import type { Actor } from '../../server/domain/actor.ts'
import type { PendingAuthorization } from '../../server/domain/authorizations/pending-requests.ts'
import { readFields } from '../lib/submission.server.ts'
import {
  actorOf,
  findSession,
  getSession,
  type PageArgs,
  type PortalSession,
  visitorOf,
} from '../services.server.ts'
import { type AuthorizePerson, toReads } from '../shared/consent/consent-view.ts'
import { signInAndGo } from '../shared/sign-in/sign-in.server.ts'

/** More fields than a consent form with every box ticked can send. */
const consentFieldsMax = 200
const searchResultsMax = 20

const handleOf = ({ params, request }: PageArgs) => ({
  id: params.request ?? '',
  cookieHeader: request.headers.get('cookie'),
})

/** The step to show: sign-in, choosing a patient, or consent; or why the person can't continue. */
export async function loadStep(args: PageArgs) {
  const { authorizations } = args.context.services
  const handle = handleOf(args)
  const pending = await authorizations.get(handle)
  const app = {
    ...toApp(pending),
    ...(await args.context.services.registrations.consentFacts(pending.client.clientId)),
  }
  const decider = await findDecider(args, pending)
  if (!decider) return { step: 'sign_in' as const, app }
  const { account, actor } = decider
  const { kind } = await authorizations.eligibility(handle, actor)
  if (kind !== 'eligible') return { step: 'not_eligible' as const, app, account, kind }
  const person = await findPerson(args, pending, actor)
  if (person === 'to_choose') {
    const people = await authorizations.people(handle, actor)
    return { step: 'choose' as const, app, account, people }
  }
  const voice = person?.relationship === 'self' ? 'own' : 'other'
  const { identity, beyondOnePerson, lasting } = describeScopes(pending.scopes, voice)
  const groups = groupScopes(pending.scopes, voice)
  const last = await authorizations.lastChoice(handle, actor, person?.patientId ?? null)
  return {
    step: 'consent' as const,
    app,
    account,
    person,
    /** Whether the person can change to another patient. */
    canChoose: pending.needsPatientChoice && (await hasChoice(args, pending, actor)),
    groups,
    first: firstChoice(groups, pending.realm, last),
    remembered: last !== null,
    identity,
    beyondOnePerson,
    lasting: lasting !== null && app.unregistered ? ('hour' as const) : lasting,
    earlier: await findEarlier(args, pending, actor),
  }
}

/** The person who decides: signed in or, in a launch without an account, chosen for it and without a session. */
interface Decider {
  actor: Actor
  account: { name: string; email: string }
  /** Null in a launch without an account. */
  session: PortalSession | null
}

async function findDecider(args: PageArgs, { client, realm }: PendingAuthorization): Promise<Decider | null> {
  if (isUnregisteredApp(client.clientId)) {
    const { openLaunches } = args.context.services
    const standIn = await openLaunches.findStandIn(handleOf(args), visitorOf(args))
    if (!standIn) return null
    const { actor, name, email } = standIn
    return { actor, account: { name, email }, session: null }
  }
  const session = await findSignedIn(args, realm)
  if (!session) return null
  const { name, email } = session.account
  return { actor: actorOf(args, session), account: { name, email }, session }
}

/**
 * What this app can still read because the person allowed it before; a new approval adds to that. Launches without an
 * account share their people, so no one sees what another person allowed.
 */
async function findEarlier(args: PageArgs, { client, practice }: PendingAuthorization, { accountId }: Actor) {
  const { grants } = args.context.services
  if (isUnregisteredApp(client.clientId)) return null
  const only = { clientId: client.clientId, practiceId: practice.id }
  const [app] = await grants.listForAccount(accountId, only)
  return app
    ? { grantedAt: app.grantedAt, reads: toReads(app.records.flatMap(({ scopes }) => scopes)) }
    : null
}

/** @throws a redirect to MFA if the sign-in still needs it; MFA returns to this page */
async function findSignedIn(
  args: PageArgs,
  realm: PendingAuthorization['realm'],
): Promise<PortalSession | null> {
  const session = await findSession(args, realm)
  return session?.mfaState === 'needed' ? getSession(args, realm) : session
}

/** Only the fields that the page shows, because all of them are sent to the browser. */
function toApp({ client, practice, redirectOrigin, expiresAt, realm }: PendingAuthorization) {
  return {
    name: client.name,
    description: client.description,
    homepage: client.homepage,
    logo: toLogoPath(client.logoUrl),
    organizationName: client.organizationName,
    environment: client.environment,
    unregistered: isUnregisteredApp(client.clientId),
    practiceName: practice.name,
    /** A host, or null for an app on the person's own device. */
    goesBackTo: redirectOrigin.includes('//') ? new URL(redirectOrigin).host : null,
    expiresAt,
    realm,
  }
}

/** Only logos that the portal itself serves: the consent page loads nothing from other hosts. */
const toLogoPath = (logoUrl: string | null): string | null =>
  logoUrl === null ? null : (logoPathPattern.exec(logoUrl)?.[0] ?? null)

const logoPathPattern = /\/logos\/[0-9a-f]{64}\.png$/

/** The patient whose record the app requests; null if the request is not about one patient. */
async function findPerson(
  args: PageArgs,
  { launch, needsPatientChoice }: PendingAuthorization,
  actor: Actor,
): Promise<AuthorizePerson | null | 'to_choose'> {
  const { authorizations } = args.context.services
  const handle = handleOf(args)
  if (!needsPatientChoice) {
    return launch?.patientId ? authorizations.findPatient(handle, actor, launch.patientId) : null
  }
  const chosen = new URL(args.request.url).searchParams.get('patient')
  if (chosen !== null) return (await authorizations.findPatient(handle, actor, chosen)) ?? 'to_choose'
  const people = await authorizations.people(handle, actor)
  return people.length === 1 && people[0] ? people[0] : 'to_choose'
}

async function hasChoice(args: PageArgs, { realm }: PendingAuthorization, actor: Actor) {
  if (realm === 'practice') return true
  const { authorizations } = args.context.services
  return (await authorizations.people(handleOf(args), actor)).length > 1
}

const intents = new Set(['deny', 'sign-in', 'switch', 'search', 'untick', 'approve'])

export async function answerStep(args: PageArgs) {
  const { authorizations, accounts, launchedConsent } = args.context.services
  const handle = handleOf(args)
  const pending = await authorizations.get(handle)
  const page = paths.authorize(pending.id)
  const fields = await readFields(args.request.clone(), consentFieldsMax)
  const decider = await findDecider(args, pending)
  const intent = fields.get('intent')
  // A button that this page does not have must not count as consent. The sign-in form sends no intent.
  if (intent !== null && !intents.has(String(intent))) throw brokenForm()
  if (intent === 'deny') return leave((await launchedConsent.deny(handle, decider?.actor ?? null)).redirectTo)
  if (decider && !decider.session && (intent === null || intent === 'sign-in' || intent === 'switch'))
    throw brokenForm()
  if (intent === 'sign-in' || !decider) {
    return signInAndGo(args, { realm: pending.realm, to: page, practiceId: pending.practice.id })
  }
  if (intent === 'switch' && decider.session) {
    const { cookie } = await accounts.signOut(decider.session, visitorOf(args))
    return redirect(page, { headers: { 'set-cookie': cookie } })
  }
  if (intent === 'search') {
    const q = String(fields.get('q') ?? '')
    const found = await authorizations.searchPatients(handle, decider.actor, { q, limit: searchResultsMax })
    return { kind: 'found' as const, q, found }
  }
  if (intent === 'untick') return nothingTicked(pending)
  if (intent !== 'approve') throw brokenForm()
  return approve(args, pending, decider.actor, fields)
}

const brokenForm = () => data({ message: 'The form was incomplete. Go back and try again.' }, { status: 400 })

async function approve(args: PageArgs, pending: PendingAuthorization, actor: Actor, fields: FormData) {
  const { launchedConsent } = args.context.services
  const choice = { groups: allOf(fields, 'group'), boxes: allOf(fields, 'box') }
  const lasting = fields.get('lasting') === 'yes'
  const patientId = fields.get('patient')
  try {
    const { redirectTo } = await launchedConsent.approve(handleOf(args), actor, {
      patientId: typeof patientId === 'string' && patientId !== '' ? patientId : null,
      scopes: chooseScopes(pending.scopes, {
        ...chooseGroups(groupScopes(pending.scopes, 'own'), choice),
        lasting,
      }),
      offlineAccess: lasting,
    })
    return leave(redirectTo)
  } catch (thrown) {
    if (!isProblem(thrown) || thrown.kind !== 'validation') throw thrown
    return data({ kind: 'sent' as const, message: thrown.message, choice, lasting }, { status: 400 })
  }
}

/** The page with nothing ticked, for browsers without JavaScript. */
function nothingTicked({ scopes }: PendingAuthorization) {
  const boxes = groupScopes(scopes, 'own').flatMap((group) => group.boxes.map(({ name }) => name))
  const choice: GroupChoice = { groups: [], boxes }
  return { kind: 'sent' as const, message: null, choice, lasting: false }
}

const allOf = (fields: FormData, name: string): string[] => fields.getAll(name).map(String)

/** Redirects to the app with a code that no cache may keep. The portal turns it into a page that redirects. */
const leave = (redirectTo: string): Response =>
  redirect(redirectTo, { status: 303, headers: { 'cache-control': 'no-store' } })
