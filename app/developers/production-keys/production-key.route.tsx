import { randomUUID } from 'node:crypto'
import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/server-runtime'
import { productionForms } from '../../../server/contract/forms/production-keys.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { productionInfoReasons } from '../../../server/contract/workflows/production-key-review.ts'
import {
  findProductionLacks,
  productionStepNames,
  productionSteps,
} from '../../../server/contract/workflows/production-key-steps.ts'
import { ActionForm, Refusal, StepForms } from '../../components/ui/action-form.tsx'
import { LinkButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { TextArea } from '../../components/ui/field.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { findStepUp } from '../../lib/step-up.server.ts'
import { runAction } from '../../lib/submission.server.ts'
import { page } from '../../services.server.ts'
import { getOrganization } from '../../shared/organizations/organization.server.ts'
import {
  AskedFor,
  FactsNow,
  KeysOf,
  levelWords,
  ProductionHistory,
  ProductionSteps,
  StateTag,
  WhySuspended,
} from '../../shared/production-keys/production-parts.tsx'
import { DeveloperNext } from './production-next.tsx'
import { ProductionGaps, ProductionSummary } from './production-summary.tsx'

export const meta: MetaFunction<typeof loader> = ({ data: found }) => [
  { title: `${found?.view.name ?? 'Production key'} · Sandpiper` },
]
export const handle = { here: 'Production keys / One key' }

async function getOwn(args: LoaderFunctionArgs | ActionFunctionArgs) {
  const { session, organization, actor } = await getOrganization(args)
  const view = await args.context.services.productionKeys.get(args.params.productionKey ?? '', actor)
  if (view.organization.id !== organization.id) throw data(null, { status: 404 })
  return { session, organization, actor, view }
}

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { session, organization, actor, view } = await getOwn(args)
  const { profiles } = args.context.services.productionKeys
  const isDraft = view.state === 'draft'
  return {
    slug: organization.slug,
    view,
    lacks: isDraft ? findProductionLacks(view.draft) : {},
    needsProfile: isDraft && (await profiles.get(organization.id, actor)) === null,
    onceKey: randomUUID(),
    stepUp: findStepUp(args, session),
  }
})

export const action = page(async (args: ActionFunctionArgs) => {
  const { organization, actor, view } = await getOwn(args)
  const { productionKeys } = args.context.services
  const requestId = view.id
  let next = requestId
  return runAction(
    args,
    productionForms,
    {
      submit: (input) => productionKeys.submit({ requestId, ...input }, actor),
      withdraw: (input) => productionKeys.withdraw({ requestId, ...input }, actor),
      reinvite: (input) => productionKeys.reinvite({ requestId, ...input }, actor),
      resubmit: (input) => productionKeys.resubmit({ requestId, ...input }, actor),
      appeal: (input) => productionKeys.appeal({ requestId, ...input }, actor),
      reissue: (input) => productionKeys.reissue({ requestId, ...input }, actor),
      revoke: (input) => productionKeys.revoke({ requestId, ...input }, actor),
      renew: async (input) => {
        next = (await productionKeys.renew({ requestId, ...input }, actor)).requestId
      },
    },
    {
      to: (intent) => ({
        path: paths.productionKey(organization.slug, next),
        done:
          intent === 'submit' || intent === 'reinvite'
            ? 'production_submitted'
            : intent === 'withdraw'
              ? 'production_withdrawn'
              : 'production_done',
      }),
    },
  )
})

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>

export default function ProductionKeyPage() {
  const { slug, view, onceKey, stepUp, lacks, needsProfile } = useLoaderData<typeof loader>()
  const form = paths.productionKeyForm(slug, view.id)
  const isReady = Object.keys(lacks).length === 0 && !needsProfile
  const may = (event: string) => view.allowed.some((each) => each === event)
  const once = { version: view.version, onceKey }
  return (
    <div className="page">
      <PageHeader
        title={`A key for ${view.practice?.name ?? view.practiceSlug}`}
        action={
          view.state === 'draft' && may('save') ? <LinkButton to={form}>Continue</LinkButton> : undefined
        }
      >
        <StateTag state={view.state} /> {view.name && `${view.name}. `}
        {levelWords[view.level]}, for one practice.
      </PageHeader>
      <ProductionSteps steps={view.steps} />
      <Refusal />
      <DeveloperNext view={view} slug={slug} />
      <WhySuspended view={view} />
      <div className="grid main-aside">
        <div className="stack">
          {view.state === 'draft' && (
            <ProductionGaps
              lacks={lacks}
              form={form}
              profile={needsProfile ? paths.securityProfile(slug) : null}
            />
          )}
          <NextSteps slug={slug} view={view} onceKey={onceKey} isReady={isReady} />
          {view.mayRenew && (may('rotate') || may('revoke') || view.state === 'expired') && (
            <ActionForm
              {...once}
              intent="renew"
              title="Let it go on"
              button="Ask for the renewal"
              look="primary"
              text="The practice confirms with one click. Level, data and purposes stay as they are."
            />
          )}
          {view.state === 'draft' ? (
            <ProductionSummary
              view={view}
              steps={productionStepNames}
              edit={(step) =>
                may('save') && (
                  <Link to={`${form}?step=${step}`} aria-label={`Edit: ${productionSteps[step].title}`}>
                    Edit
                  </Link>
                )
              }
            />
          ) : (
            <AskedFor view={view} />
          )}
          {(view.state === 'active' || view.state === 'rotating') && (
            <Card padded title="Another level or purpose">
              <p>That is a new request: the practice, the documents and the review look at it anew.</p>
              <div>
                <LinkButton to={`${paths.newProductionKey(slug)}?from=${view.id}`}>
                  Begin a new request
                </LinkButton>
              </div>
            </Card>
          )}
          {may('revoke') && stepUp && (
            <Card padded title="Revoke the key">
              <p>
                Revoking needs a fresh proof that it is you. <Link to={stepUp}>Confirm that it is you</Link>
              </p>
            </Card>
          )}
          <EndSteps view={view} onceKey={onceKey} stepUp={stepUp} />
        </div>
        <div className="stack aside">
          <KeysOf
            view={view}
            activity={(keyId) => paths.keyActivity(slug, keyId)}
            rotate={(keyId) => `${paths.keyActivity(slug, keyId)}/rotate`}
          />
          <FactsNow view={view} documents={paths.agreements(slug)} />
          <ProductionHistory view={view} />
          <p className="small muted">
            The key stops at once when the sponsorship, the agreement or the BAA ends. Both sides are told
            within a minute.
          </p>
        </div>
      </div>
    </div>
  )
}

function sentenceOf(code: string): string {
  return Object.hasOwn(productionInfoReasons, code)
    ? productionInfoReasons[code as keyof typeof productionInfoReasons].sentence
    : ''
}

interface NextProps extends Pick<Loaded, 'slug' | 'view' | 'onceKey'> {
  /** Of a draft: nothing is missing. */
  isReady: boolean
}

function NextSteps({ slug, view, onceKey, isReady }: NextProps) {
  const open = view.items.filter(({ answer }) => answer === null)
  return (
    <StepForms
      of={view}
      onceKey={onceKey}
      steps={{
        submit: isReady && {
          title: 'Send it to the practice',
          button: 'Send the request',
          look: 'primary',
          children: (
            <p>
              The mail goes to the admins of the practice that are on file with us, never to an address typed
              here. Your <Link to={paths.securityProfile(slug)}>security profile</Link> is handed in as it is
              now.
            </p>
          ),
        },
        reinvite: view.reinvitesLeft > 0 && {
          title: 'Ask the practice again',
          button: 'Send it again',
          look: 'primary',
          text: `${view.reinvitesLeft === 1 ? 'Once more.' : 'Twice more at most.'} Talk to them first.`,
        },
        resubmit: {
          title: 'What we ask',
          button: 'Send the answers',
          look: 'primary',
          children: open.map(({ id, code, text }) => (
            <div className="stack tight" key={id}>
              <p>
                <b>{sentenceOf(code)}</b> <span className="breaks">{text}</span>
              </p>
              <TextArea name={`answer-${id}`} label="Your answer" />
            </div>
          )),
        },
        appeal: {
          title: 'Appeal',
          button: 'Appeal',
          text: 'Reviewers who have not decided on it look at it.',
          reason: 'Why we should look again',
          reasonName: 'text',
        },
        reissue: view.mine &&
          view.reissuesLeft > 0 && {
            title: 'A new claim link',
            button: 'Send a new link',
            look: 'primary',
            text: 'The link before ended. Nothing is lost: no key was made.',
          },
      }}
    />
  )
}

function EndSteps({ view, onceKey, stepUp }: Pick<Loaded, 'view' | 'onceKey' | 'stepUp'>) {
  return (
    <StepForms
      of={view}
      onceKey={onceKey}
      steps={{
        revoke: !stepUp && {
          title: 'Revoke the key',
          button: 'Revoke for good',
          look: 'danger',
          text: 'Its next request is refused, and it cannot be brought back.',
          reason: 'Reason, for the practice',
        },
        withdraw: {
          title: 'Drop the request',
          button: 'Withdraw',
          text: 'Documents that both sides signed stay in force.',
        },
      }}
    />
  )
}
