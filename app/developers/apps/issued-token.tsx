import { CopyButton } from '../../components/ui/copy-button.tsx'
import { KeyRound } from '../../components/ui/icons.ts'
import { Moment } from '../../components/ui/moment.tsx'

interface IssuedTokenProps {
  accessToken: string
  idToken: string | null
  expiresAt: string
  scope: string
  person: string | null
  patientId: string | null
}

/** A new access token. It is in this answer only. */
export function IssuedToken({ accessToken, idToken, expiresAt, scope, person, patientId }: IssuedTokenProps) {
  const command = `export ACCESS_TOKEN=${accessToken}`
  return (
    <section className="banner turn" aria-label="Access token">
      <KeyRound className="i" />
      <div className="stack">
        <p>
          <strong>Access token, shown once.</strong> Copy it now. It expires at <Moment at={expiresAt} />.
        </p>
        <p>
          <code className="breaks">{accessToken}</code>{' '}
          <CopyButton text={accessToken} label="Copy the access token" />
        </p>
        <p>
          Scopes: <code className="breaks">{scope}</code>
          {person && <> · {person}</>}
          {patientId && (
            <>
              {' '}
              · <code className="breaks">{patientId}</code>
            </>
          )}
        </p>
        {idToken && (
          <details>
            <summary>ID token</summary>
            <p>
              <code className="breaks">{idToken}</code>{' '}
              <CopyButton text={idToken} label="Copy the ID token" />
            </p>
          </details>
        )}
        <p>
          For the code below:{' '}
          <CopyButton text={command} label="Copy as ACCESS_TOKEN" word="Copy as ACCESS_TOKEN" />
        </p>
      </div>
    </section>
  )
}
