import { CopyCode } from '../../components/ui/copy-button.tsx'
import { KeyRound } from '../../components/ui/icons.ts'

/** The client secret of a confidential app. Only this response contains it. */
export function ShownSecret({
  secret,
  clientId,
  environment,
}: {
  secret: string
  clientId?: string | null
  environment: 'sandbox' | 'production'
}) {
  return (
    <section className="banner turn" aria-label="Client secret">
      <KeyRound className="i" />
      <div>
        <p>
          <strong>Your {environment} client secret, shown once.</strong> Store it on your server now. It can’t
          be shown again.
        </p>
        {clientId && (
          <p>
            Client ID: <CopyCode text={clientId} label="Copy the client ID" />
          </p>
        )}
        <p>
          <CopyCode text={secret} label="Copy the client secret" />
        </p>
      </div>
    </section>
  )
}
