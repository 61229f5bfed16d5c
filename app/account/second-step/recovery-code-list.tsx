import { LinkButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { CodeBlock } from '../../components/ui/code-block.tsx'
import { Gate } from '../../shared/frames/gate.tsx'

interface RecoveryCodesProps {
  codes: readonly string[]
  /** Where to go from here. */
  next: string
  /** What has just happened. */
  lead: string
}

/** The one time that recovery codes are shown. */
export function RecoveryCodes({ codes, next, lead }: RecoveryCodesProps) {
  return (
    <Gate
      title="Your recovery codes"
      lead={`${lead} These codes open it when the app is lost: each works once, and nobody can show them again.`}
      wide
    >
      <Card padded>
        <CodeBlock label="Recovery codes" bar={`${codes.length} codes`} copy={codes.join('\n')}>
          {codes.join('\n')}
        </CodeBlock>
        <p className="muted">Keep them where your password is not: on paper, or in another safe.</p>
        <LinkButton look="primary" to={next}>
          I have stored them, go on
        </LinkButton>
      </Card>
    </Gate>
  )
}
