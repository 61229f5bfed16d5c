import { firstChoice, type OfferedGroup } from '../../../server/contract/smart/consent-groups.ts'
import { ConsentForm } from '../../shared/consent/consent-form.tsx'
import type { ConsentLine } from '../../shared/consent/consent-view.ts'
import { SystemCard } from '../../shared/consent/system-card.tsx'

interface ConsentPreviewProps {
  app: {
    name: string
    description: string
    homepage: string | null
    privacyUrl: string | null
    logo: string | null
    organizationName: string
  }
  audience: 'patient' | 'clinician' | 'backend'
  /** What a practice is asked about a backend system. */
  lines: readonly ConsentLine[]
  /** What a person is asked. */
  groups: readonly OfferedGroup[]
  identity: boolean
  beyondOnePerson: boolean
  lasting: 'offline' | 'online' | null
}

/** Made-up, as everybody in the sandbox. */
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
 * The page of the authorization server itself, with these scopes, to look at: nothing of it can be pressed, and
 * who cannot see it hears what it lists.
 */
export function ConsentPreview({ app, audience, lines, ...asked }: ConsentPreviewProps) {
  const { groups } = asked
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
                homepage: app.homepage,
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
            {...asked}
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
            person={asked.beyondOnePerson ? null : person[audience]}
            canChoose={false}
            sent={null}
          />
        )}
      </div>
    </>
  )
}

const previewedAt = '2026-11-20T17:00:00.000Z'
/** React 18 knows no such attribute. */
const inert = { inert: '' } as object
