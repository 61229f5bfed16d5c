import { CodeBlock } from '../../components/ui/code-block.tsx'
import { CopyCode } from '../../components/ui/copy-button.tsx'

/** The FHIR base of the organization's own sandbox, with a button that copies it. */
export function OwnBase({ base }: { base: string }) {
  return <CopyCode row text={base} label="Copy your sandbox’s FHIR base URL" />
}

/** Shell variables with the URLs of the organization's own sandbox. */
export function OwnVariables({ fhir, rest, clientId }: { fhir: string; rest: string; clientId?: string }) {
  const lines = [
    `export FHIR=${fhir}`,
    `export BASE=${rest}`,
    ...(clientId === undefined ? [] : [`export CLIENT_ID=${clientId}`]),
    'curl "$FHIR/.well-known/smart-configuration"',
  ].join('\n')
  return (
    <CodeBlock label="Shell variables for your sandbox" bar="Shell" copy={lines} wrapped>
      {lines}
    </CodeBlock>
  )
}
