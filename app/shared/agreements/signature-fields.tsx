import { signatureStatements } from '../../../server/contract/workflows/agreements.ts'
import { Check } from '../../components/ui/choice.tsx'
import { CopyCode } from '../../components/ui/copy-button.tsx'
import { Field } from '../../components/ui/form.tsx'

/** The signatory's name and title, as the document will show them. */
export function PartyFields({ label, whose = 'Your', title }: PartyFieldsProps) {
  return (
    <>
      <Field name="legalName" label={label ?? `${whose} legal name`} maxLength={120} autoComplete="off" />
      <Field name="title" label={`${whose} title`} value={title} maxLength={120} autoComplete="off" />
    </>
  )
}

interface PartyFieldsProps {
  label?: string
  whose?: 'Your' | 'Their'
  title?: string
}

export function SignatureChecks() {
  return (
    <>
      <Check name="authority">{signatureStatements.authority}</Check>
      <Check name="consent">{signatureStatements.consent}</Check>
    </>
  )
}

export function LastDay({ hint }: { hint?: string }) {
  return (
    <Field
      name="effectiveOn"
      label="Last day (leave empty to end it now)"
      type="date"
      autoComplete="off"
      hint={hint}
    />
  )
}

export function Hash({ label, value }: { label: string; value: string }) {
  return (
    <p className="small">
      {label}: <CopyCode text={value} label={`Copy: ${label}`} />
    </p>
  )
}
