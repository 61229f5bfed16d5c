import { Link, useLoaderData } from '@remix-run/react'
import { data, redirect } from '@remix-run/server-runtime'
import { keyDraftForm, projectDescriptionLength } from '../../../server/contract/forms/keys.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Choices } from '../../components/ui/choice.tsx'
import { ContractForm, Field, TextArea } from '../../components/ui/form.tsx'
import { Card, LinkButton } from '../../components/ui/page-parts.tsx'
import { goOn, runForm } from '../../lib/submission.server.ts'
import { actorOf, findSession, getSession, here, linkTokenOf, page } from '../../services.server.ts'
import { DeadLink, Gate } from '../../shared/frames/gate.tsx'
import { AcceptTerms, keyFormLabels, keyLevelChoices } from './key-form.tsx'

export const meta = () => [{ title: 'Confirm your key request · Sandpiper' }]

/** The loader changes nothing, because mail programs open links on their own. */
export const loader = page(async (args) => {
  const { keys, organizations, agreementTexts } = args.context.services
  const session = await findSession(args, 'developer')
  const draft = await keys.findDraft({ token: linkTokenOf(args), accountId: session?.accountId })
  const mine = session ? await organizations.listFor(session.accountId) : []
  const { version, sha256 } = agreementTexts.get('sandbox-terms')
  return {
    draft,
    organizations: mine.filter(({ role }) => role !== 'viewer').map(({ slug, name }) => ({ slug, name })),
    email: session?.account.email ?? '',
    terms: { version, sha256 },
    signIn: `${paths.signIn}?${new URLSearchParams({ next: here(args.request) })}`,
  }
})

export const action = page(async (args) => {
  const session = await getSession(args, 'developer')
  const { keys, organizations } = args.context.services
  return runForm(args.request, keyDraftForm, async (value) => {
    const { acceptTerms: _accepted, organization: slug, ...form } = value
    const organization = (await organizations.listFor(session.accountId)).find((row) => row.slug === slug)
    if (!organization) throw data(null, { status: 404 })
    const request = { ...form, organizationId: organization.id, token: linkTokenOf(args) }
    const result = await keys.confirmDraft(request, actorOf(args, session))
    if (result.kind !== 'requested') return redirect(here(args.request))
    return goOn(paths.organizationKeys(organization.slug), 'key_draft_confirmed')
  })
})

const labels = { organization: 'Organization', ...keyFormLabels }

export default function KeyDraft() {
  const { draft, organizations, signIn } = useLoaderData<typeof loader>()
  if (draft.kind !== 'live') return <NotLive draft={draft} signIn={signIn} />
  if (organizations.length === 0) {
    return (
      <Gate
        title="Create an organization first"
        lead="Keys belong to an organization. Create one, then open the link in the email again."
      >
        <LinkButton look="primary" to={`${paths.newOrganization}?without-key`}>
          Create an organization
        </LinkButton>
      </Gate>
    )
  }
  return (
    <Gate
      title="Confirm your key request"
      lead={
        draft.technicalContact && draft.acceptsTerms
          ? 'These details are from your email. Check them and confirm.'
          : 'These details are from your email. Fill in the rest.'
      }
    >
      <DraftForm draft={draft} />
    </Gate>
  )
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>
type Live = Extract<Loaded['draft'], { kind: 'live' }>

function DraftForm({ draft }: { draft: Live }) {
  const { organizations, email, terms } = useLoaderData<typeof loader>()
  return (
    <ContractForm
      labels={labels}
      defaultValue={{
        organization: organizations[0]?.slug,
        name: draft.name,
        projectDescription: draft.description,
        technicalContact: draft.technicalContact ?? email,
        level: 'read_only',
        // True only if the email accepted the current version of the terms.
        ...(draft.acceptsTerms ? { acceptTerms: 'on' } : {}),
        termsVersion: terms.version,
        termsSha256: terms.sha256,
      }}
      button="Confirm request"
      busy="Sending"
      wide
    >
      <Choices
        name="organization"
        options={organizations.map(({ slug, name }) => ({ value: slug, label: name }))}
      />
      <Field name="name" autoComplete="off" />
      <TextArea
        name="projectDescription"
        rows={6}
        countTo={projectDescriptionLength.min}
        hint={`At least ${projectDescriptionLength.min} characters. Don’t include information about real people.`}
      />
      <Field name="technicalContact" type="email" autoComplete="email" />
      <Choices name="level" options={keyLevelChoices} />
      <AcceptTerms terms={terms} />
    </ContractForm>
  )
}

function NotLive({ draft, signIn }: { draft: Exclude<Loaded['draft'], Live>; signIn: string }) {
  if (draft.kind === 'sign_in_first') {
    return (
      <Gate title="Sign in to continue" lead="This link works for the address that sent the email.">
        <div className="stack">
          <LinkButton look="primary" to={signIn}>
            Sign in
          </LinkButton>
          <p className="muted">
            No account yet? <Link to={paths.signUp}>Sign up</Link> with that address, then open the link in
            the email again. It expires after three days.
          </p>
        </div>
      </Gate>
    )
  }
  const toKeys = <LinkButton to={paths.keys}>View keys</LinkButton>
  if (draft.kind === 'other_account')
    return (
      <Gate title="This link belongs to another address" lead={`Sign in as ${draft.maskedEmail}.`}>
        <Card padded>{toKeys}</Card>
      </Gate>
    )
  return (
    <DeadLink kind={draft.kind}>
      <p>Email us again, or request a key on the keys page.</p>
      {toKeys}
    </DeadLink>
  )
}
