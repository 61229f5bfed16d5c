import { CodeBlock } from '../../components/ui/code-block.tsx'
import { CopyButton } from '../../components/ui/copy-button.tsx'

/** The FHIR base of the organization's own sandbox, with a button that copies it. */
export function OwnBase({ base }: { base: string }) {
  return (
    <span className="row flex-nowrap">
      <code className="breaks">{base}</code>
      <CopyButton text={base} label="Copy the FHIR base of your sandbox" />
    </span>
  )
}

/** What the guides call `$FHIR` and `$BASE`, for one's own sandbox: set once, every snippet works there. */
export function OwnVariables({ fhir, rest, clientId }: { fhir: string; rest: string; clientId?: string }) {
  const lines = [
    `export FHIR=${fhir}`,
    `export BASE=${rest}`,
    ...(clientId === undefined ? [] : [`export CLIENT_ID=${clientId}`]),
    'curl "$FHIR/.well-known/smart-configuration"',
  ].join('\n')
  return (
    <CodeBlock label="Variables of the guides, for your sandbox" bar="Shell" copy={lines} wrapped>
      {lines}
    </CodeBlock>
  )
}
