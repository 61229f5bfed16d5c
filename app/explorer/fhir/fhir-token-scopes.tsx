import { contextOf, type PersonKind } from './fhir-token.ts'

/** What the token of a call may do. */
export function FhirScopes({
  kind,
  type,
  choice,
  own,
}: {
  kind: PersonKind
  type: string
  choice: string
  own: string
}) {
  const context = contextOf[kind]
  const options = [
    { value: 'all', label: `Everything, ${context}/*.rs` },
    { value: 'needed', label: 'Only what this call needs' },
    { value: 'without', label: `Everything except ${type}, to see the refusal` },
    { value: 'own', label: 'These:' },
  ]
  return (
    <fieldset className="choices">
      <legend>Token scopes</legend>
      {options.map(({ value, label }) => (
        <label className="check" key={value}>
          <input type="radio" name="scopes" value={value} defaultChecked={choice === value} />
          <span>{label}</span>
        </label>
      ))}
      <input
        className="input mono"
        name="scope"
        aria-label="Custom scopes"
        maxLength={1000}
        defaultValue={own || `${context}/${type}.rs`}
        autoComplete="off"
        spellCheck={false}
      />
    </fieldset>
  )
}
