import { CodeBlock } from '../../components/ui/code-block.tsx'
import { Card, LinkButton } from '../../components/ui/page-parts.tsx'
import { Gate } from '../../shared/frames/gate.tsx'

interface RecoveryCodesProps {
  codes: readonly string[]
  /** The page after this one. */
  next: string
  /** A sentence about what has just happened. */
  lead: string
}

/** Recovery codes are shown only here and only once. */
export function RecoveryCodes({ codes, next, lead }: RecoveryCodesProps) {
  return (
    <Gate
      title="Your recovery codes"
      lead={`${lead} Use a recovery code if you lose your authenticator app. Each works once. We can’t show them again.`}
      wide
    >
      <Card padded>
        <CodeBlock label="Recovery codes" bar={`${codes.length} codes`} copy={codes.join('\n')}>
          {codes.join('\n')}
        </CodeBlock>
        <p className="muted">Store them apart from your password, on paper or in a password manager.</p>
        <LinkButton look="primary" to={next}>
          I’ve saved them, continue
        </LinkButton>
      </Card>
    </Gate>
  )
}
