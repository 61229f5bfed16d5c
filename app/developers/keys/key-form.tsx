import { Link } from '@remix-run/react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Check } from '../../components/ui/choice.tsx'

interface AcceptTermsProps {
  /** The version and hash of the text that is shown. */
  terms: { version: string; sha256: string }
}

/** Accepts the version of the sandbox terms that is shown, even if a newer one appears meanwhile. */
export function AcceptTerms({ terms }: AcceptTermsProps) {
  return (
    <>
      <Check name="acceptTerms">
        I accept the{' '}
        <Link to={paths.sandboxTerms} target="_blank" rel="noreferrer">
          sandbox terms, version {terms.version}
          <span className="sr"> (opens in a new tab)</span>
        </Link>
      </Check>
      <input type="hidden" name="termsVersion" value={terms.version} />
      <input type="hidden" name="termsSha256" value={terms.sha256} />
    </>
  )
}

/** Labels of the forms that request a sandbox key. */
export const keyFormLabels = {
  name: 'Key name',
  projectDescription: 'What are you building?',
  technicalContact: 'Technical contact',
  level: 'Access level',
  acceptTerms: 'Sandbox terms',
} as const

export const keyLevelChoices = [
  { value: 'read_only', label: 'Read-only', sub: 'Reads records. Enough for most first steps.' },
  {
    value: 'full',
    label: 'Full',
    sub: 'Reads and writes. You get your own copy of the sandbox data to change.',
  },
] as const
