import {
  type InfernoKit,
  type InfernoRole,
  infernoKits,
  infernoRoles,
} from '../../../server/contract/lab/inferno-kits.ts'
import { Banner } from '../../components/ui/banner.tsx'
import { Button } from '../../components/ui/button.tsx'
import { CopyButton } from '../../components/ui/copy-button.tsx'
import { KeyRound } from '../../components/ui/icons.ts'
import { saveFile } from '../../lib/save-file.ts'

interface InfernoSecretsProps {
  kit: InfernoKit
  /** Of the apps made now, shown once. */
  secrets: Partial<Record<InfernoRole, string>>
  preset: string
}

/** What the button made: the secrets, and the preset with them in it. Both are in this response only. */
export function InfernoSecrets({ kit, secrets, preset }: InfernoSecretsProps) {
  const roles = Object.entries(secrets) as [InfernoRole, string][]
  if (roles.length === 0)
    return (
      <Banner tone="ok" title={`The apps of ${infernoKits[kit].title} are registered.`}>
        Your existing secrets still work. Create a new one on the app’s page.
      </Banner>
    )
  return (
    <section className="banner turn" aria-label="Client secrets">
      <KeyRound className="i" />
      <div className="stack">
        <p>
          <strong>Client secrets for {infernoKits[kit].title}, shown once.</strong> Save them now. Leaving
          this page loses them.
        </p>
        {roles.map(([role, secret]) => (
          <p key={role}>
            {infernoRoles[role].title}: <code className="breaks">{secret}</code>{' '}
            <CopyButton text={secret} label={`Copy the client secret: ${infernoRoles[role].title}`} />
          </p>
        ))}
        <div className="row needs-script">
          <Button size="sm" onClick={() => saveFile(`inferno-${kit}.json`, preset, 'application/json')}>
            Download the preset with secrets
          </Button>
        </div>
      </div>
    </section>
  )
}
