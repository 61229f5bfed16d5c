import type { FieldMetadata } from '@conform-to/react'
import { Link } from '@remix-run/react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Check } from '../../components/ui/choice.tsx'

interface AcceptTermsProps {
  /** The text that was shown, by number and fingerprint. */
  terms: { version: string; sha256: string }
  fields: {
    acceptTerms: FieldMetadata<boolean>
    termsVersion: FieldMetadata<string>
    termsSha256: FieldMetadata<string>
  }
}

/** Agreeing to the sandbox terms: to the text that is shown, even when a newer one appears meanwhile. */
export function AcceptTerms({ terms, fields }: AcceptTermsProps) {
  return (
    <div className="stack tight">
      <Check meta={fields.acceptTerms}>
        I accept the{' '}
        <Link to={paths.sandboxTerms} target="_blank" rel="noreferrer">
          sandbox terms, version {terms.version}
          <span className="sr"> (opens in a new tab)</span>
        </Link>
      </Check>
      <p className="small muted terms-hash">
        SHA-256 <code>{terms.sha256}</code>
      </p>
      <input type="hidden" name={fields.termsVersion.name} value={terms.version} />
      <input type="hidden" name={fields.termsSha256.name} value={terms.sha256} />
    </div>
  )
}
