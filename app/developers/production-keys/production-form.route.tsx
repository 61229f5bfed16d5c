import { type ClientActionFunctionArgs, Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { redirect } from '@remix-run/server-runtime'
import { paths } from '../../../server/contract/portal/paths.ts'
import {
  fieldsOfProductionStep,
  findProductionLacks,
  firstOpenProductionStep,
  isProductionStep,
  type ProductionField,
  type ProductionStep,
  productionFieldLabels,
  productionStepNames,
  productionSteps,
  stepOfProductionField,
} from '../../../server/contract/workflows/production-key-steps.ts'
import { Refusal } from '../../components/ui/action-form.tsx'
import { AutosaveNote, LostConnection } from '../../components/ui/autosave-note.tsx'
import { Globe } from '../../components/ui/icons.ts'
import { Banner, EmptyState, LinkButton, PageHeader, SubmitButton } from '../../components/ui/page-parts.tsx'
import { Stepper } from '../../components/ui/stepper.tsx'
import { useAutosave } from '../../components/ui/use-autosave.ts'
import { keepWhenLost, loadUnlessLost } from '../../lib/lost-connection.ts'
import { page } from '../../services.server.ts'
import { PracticePicker, SigningFields, UseFields, useChecks } from './production-fields.tsx'
import {
  findDraft,
  listPractices,
  pathOfProductionStep,
  type StepAnswer,
  saveProductionStep,
} from './production-form.server.ts'
import { ProductionGaps, ProductionSummary } from './production-summary.tsx'

export const meta = () => [{ title: 'A production key · Sandpiper' }]
export const handle = { here: 'Keys / Request' }

export const loader = page(async (args) => {
  const { organization, actor, view } = await findDraft(args)
  const { organizations, organizationDomains, productionKeys } = args.context.services
  const { slug, id: organizationId } = organization
  if (view && view.state !== 'draft') throw redirect(paths.productionKey(slug, view.id))
  const query = new URL(args.request.url).searchParams
  const stepName = query.get('step')
  const lacks = view ? findProductionLacks(view.draft) : {}
  if (view && !isProductionStep(stepName))
    throw redirect(pathOfProductionStep(slug, view.id, firstOpenProductionStep(lacks)))
  const step: ProductionStep = view && isProductionStep(stepName) ? stepName : 'practice'
  // The domain must be confirmed before the practice is chosen, not after a long form.
  const domains = view ? [] : await organizationDomains.list(organizationId, actor)
  const needsDomain = view === null && !domains.some(({ verifiedAt }) => verifiedAt !== null)
  const { members } = await organizations.get({ organizationId, accountId: actor.accountId })
  return {
    slug,
    step,
    needsDomain,
    from: query.get('from'),
    lacks,
    onceKey: crypto.randomUUID(),
    hasProfile: (await productionKeys.profiles.get(organizationId, actor)) !== null,
    listed: step === 'practice' && !needsDomain ? await listPractices(args) : null,
    owners: members
      .filter(({ role }) => role === 'owner')
      .map(({ accountId, name }) => ({ accountId, name })),
    view,
  }
})

export const action = page(saveProductionStep)

export const clientAction = ({ serverAction }: ClientActionFunctionArgs) => keepWhenLost(serverAction)

export const shouldRevalidate = loadUnlessLost

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>

export default function ProductionForm() {
  const loaded = useLoaderData<typeof loader>()
  const { view, step, needsDomain, slug } = loaded
  if (needsDomain) return <ConfirmDomainFirst slug={slug} />
  if (view === null || step === 'practice') return <PracticeStep {...loaded} />
  // The key makes each step a form of its own, whose fields start with the stored values.
  return <Step key={step} {...loaded} view={view} />
}

function PracticeStep({ slug, view, listed, onceKey, from, lacks, step }: Loaded) {
  const leave = view ? paths.productionKey(slug, view.id) : paths.organizationKeys(slug)
  return (
    <div className="page narrow">
      <PageHeader title="Which practice?" back={leave}>
        {view?.practice
          ? `You chose ${view.practice.name}. If you choose another practice, your other entries are kept.`
          : 'A key works for one practice. We ask the practice’s admins to sponsor your request.'}
      </PageHeader>
      <section className="card pad">
        <Stepper label="Steps" steps={stepsOf(step, view ? lacks : null)} />
      </section>
      <Refusal title="You can’t request a key for this practice." />
      {listed && (
        <PracticePicker
          listed={listed}
          hidden={{
            version: view?.version ?? 0,
            idempotencyKey: onceKey,
            ...(from !== null && { from }),
          }}
        />
      )}
    </div>
  )
}

/** @param lacks what the draft lacks; null before there is a draft */
function stepsOf(here: ProductionStep, lacks: Loaded['lacks'] | null) {
  return productionStepNames.map((name) => {
    const open = lacks === null ? null : fieldsOfProductionStep(name).filter((field) => field in lacks).length
    return {
      name,
      title: productionSteps[name].title,
      progress: name === here ? ('here' as const) : open === 0 ? ('done' as const) : ('ahead' as const),
      note: open === null ? 'Not yet' : open === 0 ? 'Complete' : `${open} to add or fix`,
    }
  })
}

const formId = 'production-request'

function Step({ slug, step, view, lacks, owners, onceKey, hasProfile }: StepProps) {
  const answer = useActionData<typeof action>() as StepAnswer | undefined
  const { autosave, isLost, typed, later, stop } = useAutosave<typeof action>({
    isOn: true,
    keepAs: `production key ${view.id} ${step}`,
  })
  const auto = autosave.data as Partial<StepAnswer> | undefined
  const { touch, faults } = useChecks({ ...answer?.faults, ...auto?.faults }, auto?.lacks)
  const note =
    autosave.state !== 'idle' ? 'saving' : auto?.kind === 'saved' ? ('saved' as const) : ('idle' as const)
  return (
    <div className="page narrow">
      <StepHeader slug={slug} step={step} view={view} />
      <LostConnection isLost={isLost} />
      <StaleNote answer={answer?.wrong ? answer : auto} step={step} />
      {(answer?.stale?.length ?? 0) === 0 && <Refusal title="Not sent yet." />}
      <Stepper label="Steps" steps={stepsOf(step, lacks)} formId={formId} />
      <Form
        id={formId}
        method="post"
        className="card pad stack gap-5"
        aria-label="Request for a production key"
        ref={typed}
        onChange={(event) => {
          touch(event)
          later(event)
        }}
        onSubmit={stop}
        noValidate
      >
        <input type="hidden" name="step" value={step} />
        <input type="hidden" name="version" value={newestOf(view.version, answer, auto)} />
        <input type="hidden" name="idempotencyKey" value={onceKey} />
        {step === 'use' ? (
          <>
            <UseFields draft={view.draft} faults={faults} />
            <div className="row wraps">
              <SubmitButton name="next" value="signing" busy="Saving">
                Continue to sign and send
              </SubmitButton>
              <Leave note={note} />
            </div>
          </>
        ) : (
          <SigningFields draft={view.draft} faults={faults} owners={owners} />
        )}
      </Form>
      {step === 'signing' && (
        <SendSection slug={slug} view={view} lacks={lacks} hasProfile={hasProfile} note={note} />
      )}
    </div>
  )
}

/** The newest version that this page knows. After an autosave was refused as stale, only the button raises it. */
function newestOf(
  loaded: number,
  answer: StepAnswer | undefined,
  auto: Partial<StepAnswer> | undefined,
): number {
  const saved = (auto?.stale?.length ?? 0) > 0 ? 0 : (auto?.version ?? 0)
  return Math.max(loaded, answer?.version ?? 0, saved)
}

function StepHeader({ slug, step, view }: Pick<StepProps, 'slug' | 'step' | 'view'>) {
  const practice = view.practice?.name ?? view.practiceSlug
  return (
    <PageHeader
      title={`${view.draft.name || `A key for ${practice}`}: ${productionSteps[step].title}`}
      back={paths.productionKey(slug, view.id)}
    >
      For {practice}. The draft is saved as you type. Other admins and owners of your organization can
      continue it.
    </PageHeader>
  )
}

/** The end of the last step: a summary of the earlier steps, what is missing, and the button. */
function SendSection({ slug, view, lacks, hasProfile, note }: SendProps) {
  const elsewhere = Object.entries(lacks).filter(
    ([field]) => stepOfProductionField(field as ProductionField) !== 'signing',
  )
  return (
    <>
      <ProductionSummary
        view={view}
        steps={['practice', 'use']}
        edit={(target) => (
          <button
            className="btn plain sm"
            type="submit"
            form={formId}
            name="next"
            value={target}
            aria-label={`Edit: ${productionSteps[target].title}`}
          >
            Edit
          </button>
        )}
      />
      <ProductionGaps
        lacks={Object.fromEntries(elsewhere)}
        form={paths.productionKeyForm(slug, view.id)}
        profile={hasProfile ? null : paths.securityProfile(slug)}
      />
      <section className="card pad stack" aria-label="Send">
        <p>
          We email the admins that the practice has on file with us. Your{' '}
          <Link to={paths.securityProfile(slug)}>security profile</Link> is sent with the request as it is
          now.
        </p>
        <div className="row wraps">
          <SubmitButton form={formId} name="intent" value="send" busy="Sending">
            Send request
          </SubmitButton>
          <Leave note={note} />
        </div>
      </section>
    </>
  )
}

type SendProps = Pick<StepProps, 'slug' | 'view' | 'lacks' | 'hasProfile'> & NoteProps

type StepProps = Loaded & { view: NonNullable<Loaded['view']> }

type NoteProps = { note: 'idle' | 'saving' | 'saved' }

function Leave({ note }: NoteProps) {
  return (
    <>
      <SubmitButton form={formId} look="plain" name="next" value="summary" busy="Saving">
        Save and leave
      </SubmitButton>
      <AutosaveNote state={note} />
    </>
  )
}

/** Names the fields that another window or person has saved with other values. */
function StaleNote({ answer, step }: { answer: Partial<StepAnswer> | undefined; step: ProductionStep }) {
  const stale = answer?.stale ?? []
  if (stale.length === 0) return null
  return (
    <Banner
      tone="bad"
      title="Someone else saved this draft in the meantime. Your changes are below, not saved yet."
    >
      These fields differ: {stale.map((field) => productionFieldLabels[field]).join(', ')}. Continue to save
      your version, or <a href={`?step=${step}`}>show the saved draft</a>.
    </Banner>
  )
}

function ConfirmDomainFirst({ slug }: { slug: string }) {
  return (
    <div className="page narrow">
      <PageHeader title="Request a production key">
        To request a production key, you need a confirmed domain. It shows the practice who you are.
      </PageHeader>
      <EmptyState
        icon={Globe}
        title="Confirm a domain first"
        action={
          <LinkButton look="primary" to={`${paths.organization(slug)}/settings#domains`}>
            Confirm a domain
          </LinkButton>
        }
      >
        We email a link to a mailbox at your domain. The form opens as soon as someone has confirmed it.
      </EmptyState>
    </div>
  )
}
