import { fieldLabels, type RegistrationField } from '../../../server/contract/workflows/registration-form.ts'
import { TriangleAlert } from '../../components/ui/icons.ts'
import type { WrongForm } from './registration.server.ts'

/** On top: what is wrong, with a link to each field, and what somebody else changed meanwhile. */
export function RegistrationFaults({ wrong }: { wrong: WrongForm | null }) {
  if (!wrong) return null
  const { form: whole, ...faults } = wrong.faults
  const entries = Object.entries(faults) as [RegistrationField, string][]
  return (
    <section className="banner bad" role="alert">
      <TriangleAlert className="i" />
      <div>
        {entries.length > 0 && (
          <p>
            <strong>
              {entries.length === 1
                ? 'Fix 1 field to continue.'
                : `Fix ${entries.length} fields to continue.`}
            </strong>{' '}
            Nothing was saved.
          </p>
        )}
        {whole && (
          <p>
            <strong>{whole}</strong>
          </p>
        )}
        {entries.map(([name, fault]) => (
          <p key={name}>
            <a href={`#${name}`}>
              {fieldLabels[name]}: {fault}
            </a>
          </p>
        ))}
        {wrong.stale.map(({ field, label, before, after }) => (
          <p key={field}>
            <a href={`#${field}`}>{label}</a>: saved value “{before.slice(0, 200) || 'nothing'}”, your value “
            {after.slice(0, 200) || 'nothing'}”.
          </p>
        ))}
      </div>
    </section>
  )
}
