import { capSentences } from '../../../server/contract/keys/key-caps.ts'
import type { Services } from '../../../server/services.ts'
import { Banner, Moment } from '../../components/ui/page-parts.tsx'
import { counted } from '../../lib/dates.ts'
import { KeyData } from './key-words.tsx'

type Limits = Awaited<ReturnType<Services['keyLimits']['forOwner']>>

/** Since when and why the practice stopped the key. */
export function PracticeStopped({ stops }: Pick<Limits, 'stops'>) {
  const [first] = stops
  if (!first) return null
  return (
    <Banner
      tone="bad"
      title={`${first.practiceName} stopped this access. Every request gets a 401 response.`}
    >
      {stops.map(({ at, reason }) => (
        <span key={`${at}`} className="block breaks">
          Since <Moment at={at} />. Reason: {reason}
        </span>
      ))}
      Contact the practice; it can resume access.
    </Banner>
  )
}

/** Since when and why practices stopped an app; it may work at others. */
export function AppStopped({ stops }: Pick<Limits, 'stops'>) {
  if (stops.length === 0) return null
  return (
    <Banner tone="bad" title="A practice stopped this app. It gets no data there.">
      {stops.map(({ at, reason, practiceName }) => (
        <span key={`${practiceName} ${at}`} className="block breaks">
          {practiceName}, since <Moment at={at} />. Reason: {reason}
        </span>
      ))}
      Contact the practice; it can resume access.
    </Banner>
  )
}

/** The data and purposes of a key. A key that is not narrowed reads everything. */
export function CanRead({ access }: Pick<Limits, 'access'>) {
  if (!access) return <>All records of the practice, for any purpose</>
  return (
    <>
      <KeyData of={{ dataClasses: access.classes, purposes: access.purposes }} />
      <span className="sub">
        Enforced from <Moment at={access.from} />
      </span>
    </>
  )
}

/** The caps that the practice set, and today’s use. */
export function Caps({ caps, today }: Pick<Limits, 'caps' | 'today'>) {
  if (!caps || !today) return <>None</>
  const used = [
    ...(caps.callsPerDay === null ? [] : [counted(today.calls, 'call')]),
    ...(caps.patientsPerDay === null ? [] : [counted(today.patients, 'patient')]),
  ]
  return (
    <>
      {capSentences(caps).map((sentence) => (
        <span className="block" key={sentence}>
          {sentence}
        </span>
      ))}
      {used.length > 0 && (
        <span className="sub">
          Used today: {used.join(', ')}. Resets <Moment at={today.resetsAt} />
        </span>
      )}
    </>
  )
}
