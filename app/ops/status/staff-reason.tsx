import { TextArea } from '../../components/ui/field.tsx'

export const staffReasonLabel = 'Reason'

/** Why staff does something; nobody outside reads it. */
export function StaffReason() {
  return <TextArea name="reason" rows={2} hint="For colleagues. Stored with your name." />
}
