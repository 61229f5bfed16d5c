import type { ComponentProps } from 'react'
import { TextArea } from '../../components/ui/field.tsx'

export const staffReasonLabel = 'Reason'

/** Why staff does something; nobody outside reads it. */
export function StaffReason({ meta }: Pick<ComponentProps<typeof TextArea>, 'meta'>) {
  return (
    <TextArea meta={meta} label={staffReasonLabel} rows={2} hint="For our own people. Kept with your name." />
  )
}
