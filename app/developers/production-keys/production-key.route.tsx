import { Link, type MetaFunction, useLoaderData } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import { productionForms } from '../../../server/contract/forms/production-keys.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { productionInfoReasons } from '../../../server/contract/workflows/production-key-review.ts'
import {
  findProductionLacks,
  productionStepNames,
  productionSteps,
} from '../../../server/contract/workflows/production-key-steps.ts'
import { ActionForm, Refusal, StepForms } from '../../components/ui/action-form.tsx'
import { TextArea } from '../../components/ui/form.tsx'
import { Card, LinkButton, PageHeader } from '../../components/ui/page-parts.tsx'
import { runAction } from '../../lib/submission.server.ts'
import { findStepUp, getOrganization, type PageArgs, page } from '../../services.server.ts'
import { levelWords } from '../../shared/keys/key-words.tsx'
import { StateTag } from '../../shared/production-keys/key-state-tag.tsx'
import {
  AskedFor,
  FactsNow,
  KeysOf,
  ProductionHistory,
  ProductionSteps,
  WhySuspended,
} from '../../shared/production-keys/production-parts.tsx'
import { DeveloperNext } from './production-next.tsx'
import { ProductionGaps, ProductionSummary } from './production-summary.tsx'

export const meta: MetaFunction<typeof loader> = ({ data: found }) => [
  { title: `${found?.view.name ?? 'Production key'} · Sandpiper` },
]
export const handle = { here: 'Keys / One key' }

async function getRequest(args: PageArgs) {
  const { session, organization, actor } = await getOrganization(args)
  const view = await args.context.services.productionKeys.get(args.params.productionKey ?? '', actor)
  if (view.organization.id !== organization.id) throw data(null, { status: 404 })
  return { session, organization, actor, view }
}

export const loader = page(async (args) => {
  const { session, organization, actor, view } = await getRequest(args)
  const { profiles } = args.context.services.productionKeys
  const isDraft = view.state === 'draft'
  return {
    slug: organization.slug,
    view,
    lacks: isDraft ? findProductionLacks(view.draft) : {},
    needsProfile: isDraft && (await profiles.get(organization.id, actor)) === null,
    onceKey: crypto.randomUUID(),
    stepUp: findStepUp(args, session),
  }
})

export const action = page(async (args) => {
  const { organization, actor, view } = await getRequest(args)
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
              : 'review_noted',
      }),
    },
  )
})

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>

export default function ProductionKeyPage() {
  const { slug, view, onceKey, stepUp, lacks, needsProfile } = useLoaderData<typeof loader>()
  const form = paths.productionKeyForm(slug, view.id)
  const isReady = Object.keys(lacks).length === 0 && !needsProfile
  const may = (event: string) => view.allowed.some((allowed) => allowed === event)
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
              title="Renew the key"
              button="Request renewal"
              look="primary"
              text="The practice confirms with one click. The level, data and purposes stay the same."
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
            <Card padded title="Change the level or purpose">
              <p>This needs a new request: the practice confirms, both sides sign, and we review it again.</p>
              <LinkButton to={`${paths.newProductionKey(slug)}?from=${view.id}`}>
                Start a new request
              </LinkButton>
            </Card>
          )}
          {may('revoke') && stepUp && (
            <Card padded title="Revoke the key">
              <p>
                Before you revoke the key, <Link to={stepUp}>confirm your password</Link>.
              </p>
            </Card>
          )}
          <EndSteps view={view} onceKey={onceKey} stepUp={stepUp} />
        </div>
        <div className="stack aside">
          <KeysOf
            view={view}
            activity={(keyId) => paths.organizationKey(slug, keyId)}
            rotate={(keyId) => `${paths.organizationKey(slug, keyId)}/rotate`}
          />
          <FactsNow view={view} documents={paths.agreements(slug)} />
          <ProductionHistory view={view} />
          <p className="small muted">
            The key stops immediately when the sponsorship, the usage agreement or the BAA ends. We email both
            sides within a minute.
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
  /** Whether nothing is missing in the draft. */
  isReady: boolean
}

function NextSteps({ slug, view, onceKey, isReady }: NextProps) {
  const open = view.items.filter(({ answer }) => answer === null)
  return (
    <StepForms
      view={view}
      onceKey={onceKey}
      steps={{
        submit: isReady && {
          title: 'Send the request to the practice',
          button: 'Send request',
          look: 'primary',
          children: (
            <p>
              We email the admins that the practice has on file with us. The request includes your{' '}
              <Link to={paths.securityProfile(slug)}>security profile</Link> as it is now.
            </p>
          ),
        },
        reinvite: view.reinvitesLeft > 0 && {
          title: 'Send the invitation again',
          button: 'Send invitation again',
          look: 'primary',
          text: `You can send it ${view.reinvitesLeft === 1 ? 'once' : 'twice'} more. Talk to the practice first.`,
        },
        resubmit: {
          title: 'Our questions',
          button: 'Send answers',
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
          title: 'Appeal the decision',
          button: 'Send appeal',
          text: 'Reviewers who took no part in the decision review the request again.',
          reason: 'Why should we decide differently?',
          reasonName: 'text',
        },
        reissue: view.mine &&
          view.reissuesLeft > 0 && {
            title: 'Get a new claim link',
            button: 'Send new link',
            look: 'primary',
            text: 'The previous link expired. No key was created, so nothing is lost.',
          },
      }}
    />
  )
}

function EndSteps({ view, onceKey, stepUp }: Pick<Loaded, 'view' | 'onceKey' | 'stepUp'>) {
  return (
    <StepForms
      view={view}
      onceKey={onceKey}
      steps={{
        revoke: !stepUp && {
          title: 'Revoke the key',
          button: 'Revoke key',
          look: 'danger',
          text: 'The key stops on its next request. You can’t undo this.',
          reason: 'Reason for the practice',
        },
        withdraw: {
          title: 'Withdraw the request',
          button: 'Withdraw request',
          text: 'Agreements that both sides signed stay in force.',
        },
      }}
    />
  )
}
