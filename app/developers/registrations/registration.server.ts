/** What the pages of a registration share: loading the registration and reading a posted form. */

import { data, redirect } from '@remix-run/server-runtime'
import { isProblem } from '../../../server/contract/http/problems.ts'
import { uuidPattern } from '../../../server/contract/http/uuid.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import {
  type RejectionReason,
  rejectionReasons,
} from '../../../server/contract/workflows/registration-checks.ts'
import {
  attestations,
  diffRegistrations,
  emptyRegistration,
  type FieldChange,
  type RegistrationField,
  type RegistrationForm,
  registrationFields,
  registrationForm,
} from '../../../server/contract/workflows/registration-form.ts'
import type { Actor } from '../../../server/domain/actor.ts'
import type { RegistrationView } from '../../../server/domain/registrations/read-registration.ts'
import type { SavedDraft } from '../../../server/domain/registrations/registration-types.ts'
import { type Done, doneCookie } from '../../lib/flash.ts'
import { getOrganization, type PageArgs } from '../../services.server.ts'
import { requestedFacts } from '../../shared/registrations/requested-facts.ts'

/** The registration in the URL. @throws a 404 page for one of another organization */
export async function getRegistration(args: PageArgs) {
  const { organization, session, actor } = await getOrganization(args)
  const view = await args.context.services.registrations.get(args.params.registration ?? '', actor)
  if (view.organizationId !== organization.id) throw data(null, { status: 404 })
  return { organization, session, actor, view }
}

/** Like `getRegistration`, for an action, which needs only the row. */
export async function openRegistration(args: PageArgs) {
  const { organization, session, actor } = await getOrganization(args)
  const open = await args.context.services.registrations.open(args.params.registration ?? '', actor)
  if (open.organizationId !== organization.id) throw data(null, { status: 404 })
  return { organization, session, actor, open }
}

/** The page where the organization confirms a domain, which shortens the review; null if it has one. */
export async function findDomainToConfirm(args: PageArgs): Promise<string | null> {
  const { organization, actor } = await getOrganization(args)
  const domains = await args.context.services.organizationDomains.list(organization.id, actor)
  return domains.some(({ verifiedAt }) => verifiedAt !== null)
    ? null
    : `${paths.organization(organization.slug)}/settings#domains`
}

/** Redirects to the new app, or to the page of a saved draft, which shows a new secret once. */
export function goToDraft(
  { context }: PageArgs,
  slug: string,
  { registrationId, sandboxClientId, secret }: SavedDraft,
  actor: Actor,
  done: Done,
) {
  const headers = new Headers({ 'set-cookie': doneCookie(done) })
  if (secret && sandboxClientId) {
    const sealed = context.services.secretHandover.seal({ clientId: sandboxClientId, secret }, actor)
    headers.append('set-cookie', secretCookie(sealed))
  }
  const isNew = done === 'app_created' && sandboxClientId !== null && !secret
  const to = isNew ? paths.app(slug, sandboxClientId) : paths.registration(slug, registrationId)
  return redirect(to, { headers })
}

/** A refused form. The page shows it again with what was typed. */
export interface WrongForm {
  /** Errors by field. `form` is an error of the whole form. */
  faults: Partial<Record<RegistrationField | 'form', string>>
  form: RegistrationForm
  /** Fields that differ from the stored form, after another person saved it meanwhile. */
  stale: readonly FieldChange[]
  version: number | null
}

/** Parses a posted form. If it has errors, the result has them by field, with as much of the input as possible. */
export function parseTyped(fields: FormData): { form: RegistrationForm } | WrongForm {
  const typed = Object.fromEntries(
    registrationFields.flatMap((name) => (fields.has(name) ? [[name, String(fields.get(name))]] : [])),
  )
  // One box confirms every statement; each is stored on its own.
  if (fields.get('attestAll') === 'on') for (const name of Object.keys(attestations)) typed[name] = 'on'
  const parsed = registrationForm.safeParse(typed)
  if (parsed.success) return { form: parsed.data }
  const faults: WrongForm['faults'] = {}
  for (const { path, message } of parsed.error.issues) faults[path[0] as RegistrationField] ??= message
  return { faults, form: keepTyped(typed, faults), stale: [], version: null }
}

/** Keeps valid fields, and invalid ones if their type is text. */
function keepTyped(typed: Record<string, string>, faults: WrongForm['faults']): RegistrationForm {
  const sound = Object.fromEntries(Object.entries(typed).filter(([name]) => !(name in faults)))
  const form: Record<string, unknown> = registrationForm.parse(sound)
  for (const [name, text] of Object.entries(typed))
    if (
      name in faults &&
      typeof form[name] === 'string' &&
      !['audience', 'clientType', 'logo'].includes(name)
    )
      form[name] = text
    else if (name in faults && Array.isArray(form[name])) form[name] = text.split('\n')
  return form as RegistrationForm
}

/** Turns a refusal of the domain into an error of its field. A secret that was typed is not shown again. */
export function wrongBy(thrown: unknown, form: RegistrationForm): { wrong: WrongForm; status: number } {
  if (!isProblem(thrown) || (thrown.status !== 400 && thrown.status !== 409)) throw thrown
  const field = registrationFields.find((name) => name === thrown.field)
  const isSecret = thrown.detail?.startsWith('secret scan') ?? false
  return {
    status: thrown.status,
    wrong: {
      faults: { [field ?? 'form']: thrown.message },
      form: field && isSecret ? { ...form, [field]: emptyRegistration[field] } : form,
      stale: [],
      version: null,
    },
  }
}

/** The refused form after another person saved first, with the fields that differ. */
export function staleWrong(
  form: RegistrationForm,
  stored: { form: RegistrationForm; version: number },
): WrongForm {
  return {
    faults: { form: 'Someone else saved this in the meantime. Your version is below and not saved yet.' },
    form,
    stale: diffRegistrations(stored.form, form),
    version: stored.version,
  }
}

/** The limits or term that a request asks for, and the key or app it concerns. */
export function askedOf(slug: string, { kind, requested, subjectId }: RegistrationView) {
  if (requested === null || subjectId === null) return null
  const about = kind === 'limits' && !uuidPattern.test(subjectId) ? 'app' : 'key'
  return {
    about,
    to: about === 'app' ? paths.app(slug, subjectId) : paths.organizationKey(slug, subjectId),
    facts: requestedFacts(requested),
  }
}

/** The published reasons of the last rejection. */
export function rejectionOf({ timeline }: RegistrationView): RejectionReason[] {
  const codes = timeline.findLast(({ event }) => event === 'reject')?.codes ?? []
  return codes.filter((code): code is RejectionReason => Object.hasOwn(rejectionReasons, code))
}

/** The cookie that carries a new client secret, sealed, from the form to the page that shows it. */

const cookieName = '__Host-sandpiper-secret'
const attributes = 'Path=/; HttpOnly; SameSite=Strict; Secure'

/** Set-Cookie for the redirect to that page. The sealed secret expires as soon (secret-handover.ts). */
const secretCookie = (sealed: string) => `${cookieName}=${sealed}; Max-Age=120; ${attributes}`

/** Set-Cookie that deletes it. */
export const forgetSecretCookie = () => `${cookieName}=; Max-Age=0; ${attributes}`

export function sealedSecretOf(cookies: string | null): string | null {
  return (
    new RegExp(`(?:^|;\\s*)${cookieName}=([A-Za-z0-9_-]{1,2000})(?:;|$)`).exec(cookies ?? '')?.[1] ?? null
  )
}
