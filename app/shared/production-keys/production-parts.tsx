import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import {
  type ProductionRejectionReason,
  productionFacts,
  productionRejectionReasons,
} from '../../../server/contract/workflows/production-key-review.ts'
import {
  productionKeyStates,
  suspensionCauses,
} from '../../../server/contract/workflows/production-key-workflow.ts'
import {
  securityQuestionIds,
  securityQuestions,
} from '../../../server/contract/workflows/security-questions.ts'
import type { ProductionKeyView } from '../../../server/domain/production-keys/reads.ts'
import { CircleDashed, CircleDot } from '../../components/ui/icons.ts'
import { Banner, Card, Facts, Moment, Tag } from '../../components/ui/page-parts.tsx'
import { Stepper } from '../../components/ui/stepper.tsx'
import { Timeline } from '../../components/ui/timeline.tsx'
import { counted } from '../../lib/dates.ts'
import { KeyData, KeyPrefix, levelWords } from '../keys/key-words.tsx'
import { CanRead, Caps, PracticeStopped } from '../keys/practice-limits.tsx'
import { StateTag } from './key-state-tag.tsx'
import { productionEventWords } from './production-events.ts'

/** The progress of the five steps, with each one's current holder or completion date. */
export function ProductionSteps({ steps }: Pick<ProductionKeyView, 'steps'>) {
  return (
    <section className="card pad">
      <Stepper
        label="Five steps"
        steps={steps.map((step) => ({
          title: step.title,
          progress: step.state === 'ended' ? 'ahead' : step.state,
          note: noteOf(step),
        }))}
      />
    </section>
  )
}

function noteOf({ state, holder, at }: ProductionKeyView['steps'][number]) {
  switch (state) {
    case 'done':
      return at ? (
        <>
          Done, <Moment at={at} as="date" />
        </>
      ) : (
        'Done'
      )
    case 'here':
      return holder ?? 'Current'
    case 'ahead':
      return 'Not yet'
    case 'ended':
      return 'Ended here'
  }
}

export function AskedFor({ view }: { view: ProductionKeyView }) {
  const access = view.limits?.access
  const isNarrowed =
    access?.classes.length !== view.dataClasses.length || access.purposes.length !== view.purposes.length
  return (
    <Card id="asked-for" title="Requested access">
      <Facts
        className="pad facts wide breaks"
        of={{
          Key: view.name,
          Practice: view.practice?.name ?? view.practiceSlug,
          'Data and purposes': isNarrowed && <KeyData of={view} />,
          Level: levelWords[view.level],
          Why: view.justification,
          'Can read now': view.limits && <CanRead access={view.limits.access} />,
          Caps: view.limits?.caps && <Caps caps={view.limits.caps} today={view.limits.today} />,
          Expires: `${counted(view.termDays, 'day')} after it is claimed`,
          'Developer’s signatory': signer(view.signatory),
          'Practice’s signatory': view.practiceSignatory && signer(view.practiceSignatory),
          Sponsor: view.sponsor && `${view.sponsor.name}${view.sponsor.endedAt ? ', ended' : ''}`,
        }}
      />
    </Card>
  )
}

const signer = ({ name, title }: { name: string; title: string }) => `${name}, ${title}`

/** The requesting organization, its history, and its answers about security. */
export function WhoAsks({ view }: { view: ProductionKeyView }) {
  const { organization, history, profile } = view
  return (
    <Card id="who-asks" title="Organization">
      <Facts
        className="pad facts wide"
        of={{
          Name: (
            <>
              {organization.name}
              {profile && `, ${profile.legalName}, ${profile.address}`}
            </>
          ),
          'Requested by': view.requestedBy,
          Contact: profile && (
            <>
              {profile.contactName}, {profile.contactEmail}
            </>
          ),
          ...(history && {
            'Registered since': <Moment at={history.memberSince} as="date" />,
            'Confirmed domains': history.domains.join(', ') || 'None',
            'Active keys elsewhere': history.worksElsewhere,
            'Revoked by a practice or by us (all time)': history.revokedByOthers,
            'Earlier requests here':
              history.earlierHere.length === 0
                ? 'None'
                : history.earlierHere.map(({ name, state }) => `${name} (${stateName(state)})`).join(', '),
          }),
        }}
      />
      {profile && (
        <div className="pad stack border-t">
          <h3>Security profile</h3>
          <Facts
            className="facts wide breaks"
            of={Object.fromEntries(
              securityQuestionIds.map((id) => [securityQuestions[id].title, profile[id]]),
            )}
          />
        </div>
      )}
    </Card>
  )
}

function stateName(state: string): string {
  return Object.hasOwn(productionKeyStates, state)
    ? productionKeyStates[state as ProductionKeyView['state']].name
    : state
}

/** The four conditions that the key depends on, as they are now. */
export function FactsNow({ view, documents }: { view: ProductionKeyView; documents?: string }) {
  if (!view.facts) return null
  const { facts } = view
  return (
    <Card
      id="facts-now"
      title="Currently in force"
      aside={
        documents && (
          <Link className="small" to={documents}>
            Agreements
          </Link>
        )
      }
    >
      <ul className="pad list">
        {(['usageAgreement', 'usagePolicy', 'baa'] as const).map((name) => (
          <FactNow key={name} title={productionFacts[name]}>
            {facts[name] && (
              <>
                Version {facts[name].version}, expires <Moment at={facts[name].expiresAt} as="deadline" />.
                SHA-256 <code>{facts[name].sha256.slice(0, 12)}…</code>
              </>
            )}
          </FactNow>
        ))}
        <FactNow title={productionFacts.sponsorship}>
          {facts.sponsorship && (
            <>
              {facts.sponsorship.name}, since <Moment at={facts.sponsorship.confirmedAt} as="date" />
            </>
          )}
        </FactNow>
      </ul>
    </Card>
  )
}

/** @param props.children since or until when the condition holds; null if it does not hold */
function FactNow({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li>
      <div className="row between">
        <b>{title}</b>
        <Tag bare tone={children ? 'ok' : 'quiet'} icon={children ? undefined : CircleDashed}>
          {children ? 'In force' : 'Not in force'}
        </Tag>
      </div>
      {children && <p className="small muted">{children}</p>}
    </li>
  )
}

/** Warns the people who decide on a request that keys of the organization leaked. */
export function LeakedKeys({ view: { history, organization } }: { view: ProductionKeyView }) {
  if (!history || history.leaks === 0) return null
  return (
    <Banner tone="bad" title={`${counted(history.leaks, 'key')} of ${organization.name} leaked.`}>
      Ask the company how it happened and how it protects its keys now.
    </Banner>
  )
}

const isDeveloper = ({ party }: ProductionKeyView) =>
  ['developer', 'admin', 'owner', 'viewer'].includes(party)

/** Says why the key is stopped. */
export function WhySuspended({ view }: { view: ProductionKeyView }) {
  const open = view.suspensions.filter(({ endedAt }) => endedAt === null)
  const stops = view.limits && <PracticeStopped stops={view.limits.stops} />
  if (view.state !== 'suspended') return stops
  return (
    <>
      <Banner tone="bad" title="Stopped. Every request gets a 401 response.">
        {open.map(({ cause, reason, at, by }) => (
          <span key={cause} className="block">
            {suspensionCauses[cause].title}: {reason} ({by ? `${by}, ` : ''}
            <Moment at={at} />){isDeveloper(view) && `. ${suspensionCauses[cause].next}`}
          </span>
        ))}
      </Banner>
      {stops}
    </>
  )
}

interface KeysOfProps {
  view: ProductionKeyView
  activity?: (keyId: string) => string
  /** Path of the page that rotates a key. Only the requester gets it, because the page shows a secret. */
  rotate?: (keyId: string) => string
}

export function KeysOf({ view, activity, rotate }: KeysOfProps) {
  if (view.keys.length === 0) return null
  return (
    <Card id="its-keys" title={view.keys.length === 1 ? 'The key' : 'The keys'}>
      <ul className="pad list">
        {view.keys.map((key) => (
          <li key={key.id}>
            <div className="row between">
              <KeyPrefix prefix={key.prefix} />
              <StateTag state={key.state === 'active' && key.rotatedAt ? 'rotating' : key.state} />
            </div>
            <p className="small muted">
              Expires <Moment at={key.expiresAt} />.{' '}
              {key.lastUsedAt ? (
                <>
                  Last used <Moment at={key.lastUsedAt} />.
                </>
              ) : (
                'Not used yet.'
              )}{' '}
              {activity && <Link to={activity(key.id)}>Activity</Link>}
              {rotate && view.mine && key.state === 'active' && key.rotatedAt === null && (
                <>
                  {' '}
                  <Link to={rotate(key.id)}>Rotate</Link>
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  )
}

export function ProductionHistory({ view }: { view: ProductionKeyView }) {
  return (
    <Card id="what-happened" title="History">
      <div className="pad">
        <Timeline
          entries={view.events.map(({ id, event, by, text, codes, at }) => ({
            key: id,
            icon: CircleDot,
            text: (
              <>
                {by}: {productionEventWords[event]}
                {codes.map((code) => (
                  <span className="sub" key={code}>
                    {Object.hasOwn(productionRejectionReasons, code) &&
                      `${rejectionOf(code).sentence} ${rejectionOf(code).template}`}
                  </span>
                ))}
                {text && <span className="sub breaks">{text}</span>}
              </>
            ),
            at: <Moment at={at} />,
          }))}
        />
      </div>
    </Card>
  )
}

const rejectionOf = (code: string) => productionRejectionReasons[code as ProductionRejectionReason]
