import { firstChoice, type OfferedGroup } from '../../../server/contract/smart/consent-groups.ts'
import { ConsentForm } from '../../shared/consent/consent-form.tsx'
import type { ConsentLine } from '../../shared/consent/consent-view.ts'
import { SystemCard } from '../../shared/consent/system-card.tsx'

export interface ConsentPreviewProps {
  app: {
    name: string
    description: string
    homepage: string | null
    privacyUrl: string | null
    logo: string | null
    organizationName: string
  }
  audience: 'patient' | 'clinician' | 'backend'
  /** The access that a practice approves for a backend system. */
  lines: readonly ConsentLine[]
  /** The access that a person approves for an app. */
  groups: readonly OfferedGroup[]
  identity: boolean
  beyondOnePerson: boolean
  lasting: 'offline' | 'online' | null
}

/** The practice and the people are fictitious. */
const practiceName = 'Samplewood Family Practice'
const person = {
  patient: { patientId: 'preview', name: 'Wren Testwell', birthDate: null, relationship: 'self' },
  clinician: { patientId: 'preview', name: 'Wren Testwell', birthDate: null, relationship: null },
} as const
const accounts = {
  patient: { name: 'Wren Testwell', email: 'wren@samplewood.example' },
  clinician: { name: 'Dr. Ines Placeholder', email: 'ines@samplewood.example' },
} as const

/**
 * The authorization server's own consent page with these scopes, as a preview. Its controls are inert, and it is hidden
 * from screen readers, which get a list instead.
 */
export function ConsentPreview({ app, audience, lines, ...consent }: ConsentPreviewProps) {
  const { groups } = consent
  const realm = audience === 'patient' ? 'patient' : 'practice'
  return (
    <>
      <p className="sr">
        The consent page lists:{' '}
        {lines.flatMap(({ title, picks }) => [title, ...picks.map((pick) => pick.title)]).join(', ') ||
          'nothing'}
        .
      </p>
      <div
        className="consent-preview"
        key={lines.map(({ type, picks }) => `${type} ${picks.length}`).join()}
        {...inert}
      >
        {audience === 'backend' ? (
          <SystemCard
            system={{
              id: 'preview',
              version: 0,
              state: 'requested',
              lines,
              client: {
                clientId: 'app-preview',
                name: app.name,
                organizationName: app.organizationName,
              },
              purpose: app.description || 'What you enter when you request access from the practice.',
              requestedAt: previewedAt,
              decidedAt: null,
              decidedBy: null,
              reason: null,
              lastUsedAt: null,
            }}
          />
        ) : (
          <ConsentForm
            heading="h2"
            earlier={null}
            {...consent}
            first={firstChoice(groups, realm, null)}
            remembered={false}
            app={{
              ...app,
              environment: 'production',
              reviewedAt: previewedAt,
              unregistered: false,
              practiceName,
              goesBackTo: null,
              expiresAt: previewedAt,
              realm,
            }}
            account={accounts[audience]}
            person={consent.beyondOnePerson ? null : person[audience]}
            canChoose={false}
            sent={null}
          />
        )}
      </div>
    </>
  )
}

const previewedAt = new Date('2026-11-20T17:00:00.000Z')
/** React 18 does not know the `inert` attribute. */
const inert = { inert: '' } as object
